# How strong a concrete is, about: a program like any other, for configs/labs/constraints.yaml.
#
#   awk -v cement=0.2 -v water=0.1 -v sand=0.3 -v fibres=glass -v days=14 -v seed=1 -f mixture.awk
#
# cement, water and sand are parts of the mass; gravel is the rest. Prints one JSON object.
BEGIN {
    gravel = 1 - cement - water - sand
    if (cement <= 0 || water <= 0 || gravel < 0) {
        print "mixture.awk: expected cement and water above 0, and no more than 1 with the sand" > "/dev/stderr"
        exit 2
    }
    srand(seed)
    # The sum of twelve uniform numbers is as good as a normal one.
    for (i = 0; i < 12; i++) error += rand()
    ratio = water / cement
    strength = 95 / (8 ^ ratio)                     # less water, more strength (Abrams)
    strength *= 1 - exp(-9 * cement)                # as far as there is enough to bind
    strength *= 1 - 2 * (sand - 0.35) ^ 2 - 1.5 * (gravel - 0.4) ^ 2
    strength *= 1 - 0.6 * exp(-days / 6)
    if (fibres == "glass") strength += 2
    if (fibres == "steel") strength += 4 - 8 * ratio
    printf "{\"value\": %.4f, \"gravel\": %.4f, \"ratio\": %.4f}\n", strength + 0.3 * (error - 6), gravel, ratio
}
