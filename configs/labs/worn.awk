# How strong a pressed joint is whose best heat rises while the oven's lining wears: in N/mm2, a third of a second each.
BEGIN {
    system("sleep 0.3")
    best = 120 + 1.5 * seconds
    printf "{\"strength\": %.6f}\n", 12 - ((heat - best) / 15) ^ 2 - 4 * (pressure - 1.1) ^ 2 - 0.05 * seconds
}
