# What a pipe for hot water costs a year, and how much it carries: pumps side by side, each at a speed of its own.
BEGIN {
    gravity = 9.81; length_m = 2000; rise_m = 12; hours = 8000; pi = 3.14159265
    full_head = 55; choke = 9000                       # of a pump: head at rest in m, and its loss per (m3/s)^2
    speed[1] = speed_1; speed[2] = speed_2; speed[3] = speed_3
    # The flow at which the pumps' head is what the pipe takes.
    loss = 8 * 0.02 * length_m / (pi ^ 2 * gravity * diameter ^ 5)
    low = rise_m; high = full_head
    for (i = 0; i < 60; i++) {
        head = (low + high) / 2
        flow = 0
        for (k = 1; k <= pumps; k++) flow += of_pump(speed[k], head)
        if (flow > sqrt((head - rise_m) / loss)) low = head; else high = head
    }
    flow = 0; power = 0
    for (k = 1; k <= pumps; k++) {
        own = of_pump(speed[k], head)
        flow += own
        best = 0.045 * speed[k]                        # where it is most efficient
        share = 0.82 * (1 - (own / best - 1) ^ 2)
        power += 1000 * gravity * own * head / (share > 0.1 ? share : 0.1)
    }
    outer = diameter + 2 * thickness
    if (insulation == "none") heat = 8 * pi * diameter * 45
    else heat = 2 * pi * (insulation == "wool" ? 0.045 : 0.025) * 45 / log(outer / diameter)
    wrapping = (insulation == "wool" ? 25 : 70) * pi * (outer ^ 2 - diameter ^ 2) / 4
    cost = length_m * (60 * diameter ^ 1.3 + (insulation == "none" ? 0 : wrapping)) + 2500 * pumps
    cost += power / 1000 * hours * 0.15 + heat * length_m / 1000 * hours * 0.06
    printf "{\"value\": %.6f, \"flow\": %.6f}\n", cost / 1000, flow * 1000
}
function of_pump(speed, head,    left) {
    left = speed ^ 2 * full_head - head
    return left > 0 ? sqrt(left / choke) : 0
}
