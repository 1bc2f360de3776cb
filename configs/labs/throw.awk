# How far an arm throws a ball against the wind: a program like any other, for configs/labs/program.yaml.
#
#   awk -v angle=40 -v mass=0.5 -v seed=1 -f throw.awk
#
# angle in degrees above the ground, mass in kg. The arm gives its energy to the ball and to its own hand, so
# that a light ball flies off faster, and is stopped by the air sooner. Prints one JSON object.
BEGIN {
    pi = 3.14159265358979
    if (angle == "" || mass <= 0) {
        print "throw.awk: expected -v angle=DEGREES and -v mass=KILOGRAMS above 0" > "/dev/stderr"
        exit 2
    }
    srand(seed)
    energy = 60.0                                   # J, of the arm
    hand = 0.3                                      # kg, that moves with the ball
    radius = 0.06                                   # m
    drag = 0.5 * 1.2 * 0.47 * pi * radius ^ 2       # kg/m: air, a sphere
    # The sum of twelve uniform numbers is as good as a normal one.
    for (i = 0; i < 12; i++) gust += rand()
    wind = -2.0 + 0.3 * (gust - 6.0)                # m/s, mostly against us
    speed = sqrt(2 * energy / (mass + hand))
    vx = speed * cos(angle * pi / 180); vy = speed * sin(angle * pi / 180)
    x = 0.0; y = 1.5; dt = 0.002
    while (y > 0 && t < 60) {
        ux = vx - wind
        air = drag * sqrt(ux ^ 2 + vy ^ 2) / mass
        vx -= air * ux * dt; vy -= (9.81 + air * vy) * dt
        x += vx * dt; y += vy * dt; t += dt
        if (y > top) top = y
    }
    printf "{\"value\": %.4f, \"height\": %.3f, \"flight\": %.3f}\n", x, top, t
}
