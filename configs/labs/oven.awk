# An oven that a controller brings to 180 degrees: how far it is off in all until it keeps to them, in K min. It says
# how it stands every minute, which takes it 0.02 s. Its heater lags behind, so that an impatient controller swings.
BEGIN {
    wanted = 180; room = 20; limit = 3000; heater = air = room
    for (minute = 1; minute <= 180 && steady < 10; minute++) {
        worst = 0
        for (second = 1; second <= 60; second++) {
            error = wanted - air
            power = gain * (error + sum / reset)
            if (power > 0 && power < limit) sum += error   # nothing is summed up that the heater cannot follow
            power = power < 0 ? 0 : power > limit ? limit : power
            heater += (power - 12 * (heater - air)) / 2500
            air += (12 * (heater - air) - 5 * (air - room)) / 4000
            size = error < 0 ? -error : error
            total += size / 60
            if (size > worst) worst = size
        }
        steady = worst < 1 ? steady + 1 : 0
        printf "minute %d: up to %.2f K off\n", minute, worst
        fflush()                                           # otherwise it all comes at the end
        system("sleep 0.02")
    }
    printf "{\"value\": %.6f}\n", total
}
