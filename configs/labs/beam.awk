# A beam line, as a made-up formula: how much of the beam arrives, in %, by the currents of two quadrupoles that have to
# fit each other, a steerer, and the pressure of the gas in the source.
BEGIN {
    focus = exp(-((first - 62) / 14) ^ 2 - ((second - 0.7 * first - 8) / 9) ^ 2)
    halo = 0.35 * exp(-((first - 25) / 15) ^ 2 - ((second - 25) / 15) ^ 2)
    aim = exp(-((steer - 1.4) / 2.5) ^ 2)
    charge = exp(-(log(gas / 2e-5) / 1.5) ^ 2)
    printf "{\"arrives\": %.6f}\n", 100 * (focus + halo) * aim * charge
}
