# What a pump takes, in W, at a flow that the plant asks of it: friction grows with its speed, leaks with its gap, and
# each flow has a speed at which the blades are met without a shock.
BEGIN {
    met = 0.55 * sqrt(flow) * (1 + 0.012 * (angle - 20))           # thousand turns a minute, at which there is no shock
    shock = 14 * (speed - met) ^ 2 * (1 + 0.05 * flow)
    friction = 1.5 * speed ^ 3 / (1 + gap)
    leaks = 9 * gap ^ 2 * speed + 0.6 * gap * flow
    turned = 0.02 * (angle - 12 - 1.1 * flow) ^ 2
    power = 20 + 3 * flow + shock + friction + leaks + turned + ((seal == "soft") ? 0.3 * speed ^ 2 : 4)
    printf "{\"value\": %.6f}\n", power
}
