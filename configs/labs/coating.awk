# What a simulation of a coating of two layers, so thick in nanometres, would say of how much light it lets through,
# in per cent: most where both resonate, within a nanometre or two, and nearly as much on a broad hill.
BEGIN {
    sharp = exp(-((first - 81) ^ 2 + (second - 142) ^ 2) / (2 * 2.5 ^ 2))
    broad = exp(-((first - 128) ^ 2 + (second - 96) ^ 2) / (2 * 30 ^ 2))
    if (oxide == "alumina") broad *= 0.97
    printf "{\"transmitted\": %.6f}\n", 60 + 34 * broad + 38 * sharp
}
