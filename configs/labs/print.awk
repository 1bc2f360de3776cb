# How strong a printed part is, in MPa, as somebody measures it: by the nozzle, the temperatures of the bed and of the
# melt, how fast is printed and how much flows. What melt is right hangs on the nozzle and on how fast it goes.
BEGIN {
    srand(seed)
    for (i = 0; i < 3; i++) luck += rand() - 0.5
    wide = nozzle == "0.4" ? -1 : nozzle == "0.8" ? 1 : 0
    melts = 222 + 6 * wide + 0.22 * (speed - 50)
    bonds = exp(-((melt - melts) / 16) ^ 2) * exp(-((bed - 74) / 22) ^ 2)
    fills = exp(-((flow - 1.02 - 0.04 * wide) / 0.09) ^ 2) * exp(-((speed - 42 + 8 * wide) / 45) ^ 2)
    printf "{\"strength\": %.4f}\n", (46 + 5 * (wide == 0)) * (0.3 + 0.7 * bonds) * fills + 0.4 * luck
}
