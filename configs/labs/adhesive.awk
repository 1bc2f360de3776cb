# Stands for mixing an adhesive, curing it and pulling at it: strongest with a third of hardener to the resin, a
# little filler against cracks, and enough solvent to wet what it joins.
BEGIN {
    srand(seed)
    cured = exp(-((ratio - 0.42) / 0.2) ^ 2 - ((oven - 105) / 40) ^ 2)
    cracks = exp(-filler / 12)
    wetted = 1 - exp(-(solvent + 3) / 4)
    thinned = resin / 100 + 0.004 * filler - 0.012 * solvent
    strength = 45 * cured * (1 - 0.35 * cracks) * wetted * thinned
    noise = 0.2 * sqrt(-2 * log(1 - rand())) * cos(6.283185307 * rand())
    printf "{\"value\": %.4f}\n", strength + noise
}
