# Stands for mixing a lubricant, and for how long parts run in it until they are worn: one additive alone does little,
# two that go together do much, and too much of any is bad again.
#
#   awk -v zinc=2 -v moly=0 ... -v oil=95 -v seed=1 -f additive.awk
BEGIN {
    srand(seed)
    hours = 20 * (1 - exp(-zinc / 2)) + 12 * (1 - exp(-moly)) + 10 * (1 - exp(-ester / 4)) + 8 * (1 - exp(-boron))
    hours += 6 * (1 - exp(-graphite / 3)) + 4 * (1 - exp(-amine / 2))
    hours += 25 * (1 - exp(-zinc / 2)) * (1 - exp(-ester / 4))            # these two go together,
    hours -= 15 * (1 - exp(-zinc / 2)) * (1 - exp(-moly))                 # and these do not
    hours *= exp(-((100 - oil) / 25) ^ 2)
    noise = 0.3 * sqrt(-2 * log(1 - rand())) * cos(6.283185307 * rand())
    printf "{\"value\": %.3f}\n", hours + noise
}
