# A weight on a spring, pulled and let go: how far out it is, by the classical Runge-Kutta method. Far out the spring is
# stiffer than near its rest.
#   awk -v stiffness=20 -v hardening=5 -v damping=0.6 -v pulled=1 -f spring.awk
# prints, as JSON, the curve: how far out it is after 0.1, 0.2, ... 5 seconds.
function pull(x, v) { return -stiffness * x - hardening * x * x * x - damping * v }
BEGIN {
  if (stiffness <= 0 || damping == "" || hardening == "" || pulled == "") {
    print "expected -v stiffness=... -v hardening=... -v damping=... -v pulled=..." > "/dev/stderr"; exit 2
  }
  x = pulled; v = 0; h = 0.01; told = ""
  for (step = 1; step <= 500; step++) {
    v1 = v;              a1 = pull(x, v1)
    v2 = v + h / 2 * a1; a2 = pull(x + h / 2 * v1, v2)
    v3 = v + h / 2 * a2; a3 = pull(x + h / 2 * v2, v3)
    v4 = v + h * a3;     a4 = pull(x + h * v3, v4)
    x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    if (step % 10 == 0) told = told (told == "" ? "" : ", ") sprintf("%.6g", x)
  }
  print "{\"swing\": [" told "]}"
}
