# A semi-batch reactor, roughly: what is dosed reacts and gives off heat; faster and hotter yields more, and the hottest
# moment of the batch rises ever more steeply. What is measured scatters a little.
BEGIN {
    srand(seed)
    rate = exp(0.055 * (jacket - 45)) * (0.6 + 0.4 * stirrer / 400)
    dosed = 60 / dosing                                       # how fast, from 0 to 1
    yield = 100 * (1 - exp(-1.1 * rate * (0.4 + dosed))) - 9 * (jacket - 40) * (jacket - 40) / 400
    hottest = jacket + 26 * rate * dosed / (0.35 + stirrer / 600)
    scatter = 0.3 * (rand() + rand() + rand() + rand() - 2)
    printf "{\"value\": %.6g, \"hottest\": %.6g}\n", yield + scatter, hottest + scatter
}
