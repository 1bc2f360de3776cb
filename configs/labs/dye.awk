# How bright a dyed cloth is, by the bath's pH and heat and the dose, as a robot reads it: noisily, and too high by what
# is the robot's own.
BEGIN {
    srand(seed)
    for (i = 0; i < 3; i++) luck += rand() - 0.5
    bright = 3 - (ph - 6.2) ^ 2 - ((heat - 48) / 15) ^ 2 - log(dose / 0.4) ^ 2 / 2
    printf "{\"brightness\": %.5f}\n", bright + ENVIRON["READS_HIGH_BY"] + 0.2 * luck
}
