# An I-shaped girder of 6 m under 40 kN at its middle: what it costs, how far it bends, and how hard it is strained.
# Lengths in mm, mass in kg, stress in N/mm2; the price of a kilogram is 1.
BEGIN {
    span = 6000; force = 40000; youngs = 210000; density = 7.85e-6
    strength = steel == "S355" ? 355 : 235
    price = steel == "S355" ? 1.12 : 1
    web_height = height - 2 * flange
    area = 2 * width * flange + web_height * web
    inertia = (width * height ^ 3 - (width - web) * web_height ^ 3) / 12
    moment = force * span / 4
    bending = moment * height / (2 * inertia)
    shear = force / 2 / (web_height * web)
    # A slender web or flange buckles before the steel yields.
    slenderness = web_height / web / 72
    outstand = (width - web) / 2 / flange / 10
    worst = slenderness > outstand ? slenderness : outstand
    stress = sqrt(bending ^ 2 + 3 * shear ^ 2) * (worst > 1 ? worst : 1)
    deflection = force * span ^ 3 / (48 * youngs * inertia)
    printf "{\"value\": %.6f, \"deflection\": %.6f, \"stress\": %.6f, \"strength\": %d}\n", \
        area * span * density * price, deflection, stress, strength
}
