# How strong a glued joint is that was pressed for so long, so hot and so hard, in air so humid: in N/mm2. Moist air
# wants a hotter press, and longer; what is too hot chars, and too hard squeezes the glue out.
BEGIN {
    wet = (humidity - 20) / 60
    cured = 1 - exp(-minutes / (3 + 5 * wet) * exp((heat - 120) / 40))
    charred = exp((heat - 150 - 15 * wet) / 12)
    squeezed = (pressure - 0.9 - 0.4 * wet) ^ 2
    printf "{\"strength\": %.6f}\n", 12 * cured / (1 + charred) - 3 * squeezed - 0.1 * minutes
}
