# How glossy a glaze comes out of the kiln, of 100, as somebody measures it: hotter is better until it runs, and sooner
# so with more flux; what of copper and tin is right hangs on the heat.
BEGIN {
    srand(seed)
    for (i = 0; i < 3; i++) luck += rand() - 0.5
    melts = flux == "boron" ? 1120 : flux == "ash" ? 1230 : 1180
    work = (temperature - melts) / 45 + log(minutes / 40) / 1.2
    gloss = 96 - 14 * work ^ 2 - 3 * (copper - 2 - work / 2) ^ 2 - 1.2 * (tin - 3.5) ^ 2 - (flux == "ash" ? 6 : 0)
    printf "{\"gloss\": %.4f}\n", (gloss < 0 ? 0 : gloss) + luck
}
