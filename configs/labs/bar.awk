# A steel bar, 4 cm long, is heated at one end: `first` kW/m2 until `switch` seconds, `then` kW/m2 until 300. How far it
# is from 850 degrees all along in the last minute, and half of what its hot end ever has above 1000, in K. The bar is
# cut into `cells`, of which the first tells how hot its end is: the wider they are, the cooler that seems. Twice as
# many need time steps a quarter as long, and take eight times as long in all.
BEGIN {
    length_ = 0.04; conduction = 50; capacity = 3.9e6; lost = 100; room = 20; wanted = 850
    width = length_ / cells
    steps = int(300 / (0.4 * width * width * capacity / conduction)) + 1
    step = 300 / steps
    for (i = 1; i <= cells; i++) bar[i] = room
    exchanged = conduction * step / (capacity * width * width)
    for (n = 1; n <= steps; n++) {
        second = n * step
        before = bar[1] + (second <= switch_ ? first : then) * 1000 * width / conduction   # as if there were a cell
        for (i = 1; i < cells; i++) {
            own = bar[i]
            bar[i] = own + exchanged * (before - 2 * own + bar[i + 1])
            before = own
        }
        bar[cells] += exchanged * (before - bar[cells]) - lost * (bar[cells] - room) * step / (capacity * width)
        if (bar[1] > hottest) hottest = bar[1]
        if (second > 240) {
            for (i = 1; i <= cells; i++) squares += (bar[i] - wanted) ^ 2 / cells
            counted++
        }
    }
    over = hottest > 1000 ? hottest - 1000 : 0
    printf "%.6f\n", sqrt(squares / counted) + over / 2
}
