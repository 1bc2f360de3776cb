# What a rotor yields in a wind, in kW: it is driven by the lift of its blades, which stall where the wind comes at them
# too steeply, and sooner where they are icy.
BEGIN {
    speed = 22 + 6 / blades                                       # of a blade's middle, m/s
    from = atan2(wind, speed) * 57.3 - pitch - 0.5 * twist        # the angle at which the wind comes, in degrees
    stall = (air == "icy") ? 9 : 14
    lift = 0.11 * from
    if (from > stall) lift *= exp(-((from - stall) / 5) ^ 2)
    drag = 0.012 + 0.0003 * from ^ 2 + ((air == "icy") ? 0.01 : 0)
    uneven = 1 - 0.002 * (twist - 11) ^ 2
    flow = wind ^ 2 + speed ^ 2
    driven = (lift * wind - drag * blades * speed) * sqrt(flow) * uneven * sqrt(blades)
    printf "{\"value\": %.6f}\n", 0.02 * driven
}
