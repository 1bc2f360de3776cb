# A network of ten neurons learns a curve from 200 noisy points of it, by stochastic gradients. It goes on from what
# another one left, if there is any, and leaves its weights to others; it prints how far off the curve it is by then.
#
#   awk -f network.awk RATE MOMENTUM BATCH EPOCHS SEED FOLDER [FOLDER_BEFORE]
function curve(x) { return sin(4 * x) + 0.5 * cos(9 * x) }
function tanh(x) { return x > 20 ? 1 : x < -20 ? -1 : (exp(2 * x) - 1) / (exp(2 * x) + 1) }
function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307 * rand()) }
function output(x,   j, sum) {
    sum = weight[3 * N]
    for (j = 0; j < N; j++) { hidden[j] = tanh(weight[j] * x + weight[N + j]); sum += weight[2 * N + j] * hidden[j] }
    return sum
}
BEGIN {
    rate = ARGV[1]; momentum = ARGV[2]; batch = ARGV[3]; epochs = ARGV[4]; seed = ARGV[5]; before = ARGV[7]; N = 10
    srand(1)                                          # the same points, and the same weights to begin with, each time
    for (i = 0; i < 200; i++) { at[i] = 2 * rand() - 1; seen[i] = curve(at[i]) + 0.3 * normal() }
    for (k = 0; k <= 3 * N; k++) { weight[k] = (k < 2 * N ? 3 : 0.3) * normal(); speed[k] = 0 }
    done = 0
    if (before != "") {
        getline done < (before "/weights")
        for (k = 0; k <= 3 * N; k++) { getline line < (before "/weights"); split(line, kept); weight[k] = kept[1]; speed[k] = kept[2] }
    }
    for (; done < epochs; done++) {
        srand(seed + done)
        for (step = 0; step < 200 / batch; step++) {
            for (k = 0; k <= 3 * N; k++) slope[k] = 0
            for (b = 0; b < batch; b++) {
                i = int(200 * rand()); off = output(at[i]) - seen[i]
                slope[3 * N] += off
                for (j = 0; j < N; j++) {
                    slope[2 * N + j] += off * hidden[j]
                    inner = off * weight[2 * N + j] * (1 - hidden[j] ^ 2)
                    slope[j] += inner * at[i]; slope[N + j] += inner
                }
            }
            for (k = 0; k <= 3 * N; k++) {
                speed[k] = momentum * speed[k] - rate * slope[k] / batch
                weight[k] += speed[k]
                if (weight[k] > 1e6 || weight[k] < -1e6) { print "the weights went to infinity" > "/dev/stderr"; exit 1 }
            }
        }
    }
    print done > (ARGV[6] "/weights")
    for (k = 0; k <= 3 * N; k++) printf "%.17g %.17g\n", weight[k], speed[k] > (ARGV[6] "/weights")
    for (i = 0; i <= 100; i++) loss += (output(i / 50 - 1) - curve(i / 50 - 1)) ^ 2 / 101
    printf "%.6f\n", loss
    exit
}
