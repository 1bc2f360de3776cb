# How hot a stirred tank gets in which a reaction gives off heat, and from which a jacket takes some, until all has
# reacted or an hour is over: an Arrhenius law, small steps of Euler's. Prints {"hottest": ..., "converted": ...}.
BEGIN {
    gas = 8.314
    hot = jacket + 273.15
    left = strength                                     # mol/l
    wall = jacket + 273.15
    top = hot
    step = 0.1                                         # s
    for (t = 0; t < 3600; t += step) {
        rate = 2e9 * exp(-80000 / (gas * hot)) * left            # mol/(l s)
        if (rate * step > left) rate = left / step
        # 180 kJ are given off by each mole; a litre takes 3.9 kJ for each degree.
        hot += step * (180 * rate - cooling * (hot - wall) / 1000) / 3.9
        left -= step * rate
        if (hot > top) top = hot
        if (left < 0.001 * strength) break
    }
    printf "{\"hottest\": %.6g, \"converted\": %.4g}\n", top - 273.15, 1 - left / strength
}
