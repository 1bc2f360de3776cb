# What a coupling might give, in per cent, by a catalyst that works best when so hot, so long and with so much of it: too
# hot it dies, too long the product decomposes. `-v catalyst=old` is last month's, which was slower and died later.
BEGIN {
    best_heat = catalyst == "old" ? 96 : 84
    rate = catalyst == "old" ? 0.35 : 0.6
    alive = exp(-((heat - best_heat) / 22) ^ 2)
    made = 1 - exp(-rate * hours * alive * load ^ 0.7)
    kept = exp(-0.02 * hours * exp((heat - 90) / 25))
    base_fits = 1 - 0.5 * (base - 2.1) ^ 2
    printf "{\"yield\": %.2f}\n", 97 * made * kept * base_fits
}
