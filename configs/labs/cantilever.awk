# A beam of steel, 2.5 m long, that is held at one end: `side` and `down` N press on the other. How hard it is
# strained, and by how much its end gives way; `width` and `height` in mm, `youngs` in GPa, `stress` in N/mm2,
# `deflection` in mm. Source: Wu et al. 1990, in other units.
BEGIN {
    length_ = 2500
    stress = 6 * length_ * (down / (width * height ^ 2) + side / (width ^ 2 * height))
    bent = sqrt((down / height ^ 2) ^ 2 + (side / width ^ 2) ^ 2)
    deflection = 4 * length_ ^ 3 / (youngs * 1000 * width * height) * bent
    printf "{\"stress\": %.6f, \"deflection\": %.6f}\n", stress, deflection
}
