# An epidemic: of 1000 people some catch a disease from those who have it, and get well or worse. The susceptible S, the
# exposed E and the infectious I, by the classical Runge-Kutta method.
#   awk -v contacts=0.5 -v latency=3 -v illness=6 -v first=2 -f outbreak.awk
# prints, as JSON, how many are infectious on the days 10, 20, ... 80.
function slopes(S, E, I) {
  caught = contacts * S * I / people
  dS = -caught; dE = caught - E / latency; dI = E / latency - I / illness
}
BEGIN {
  if (contacts == "" || latency <= 0 || illness <= 0) {
    print "expected -v contacts=... -v latency=DAYS -v illness=DAYS -v first=PEOPLE" > "/dev/stderr"; exit 2
  }
  people = 1000; S = people - first; E = 0; I = first; h = 0.1; told = ""
  for (step = 1; step <= 800; step++) {
    slopes(S, E, I); a1 = dS; b1 = dE; c1 = dI
    slopes(S + h / 2 * a1, E + h / 2 * b1, I + h / 2 * c1); a2 = dS; b2 = dE; c2 = dI
    slopes(S + h / 2 * a2, E + h / 2 * b2, I + h / 2 * c2); a3 = dS; b3 = dE; c3 = dI
    slopes(S + h * a3, E + h * b3, I + h * c3)
    S += h / 6 * (a1 + 2 * a2 + 2 * a3 + dS)
    E += h / 6 * (b1 + 2 * b2 + 2 * b3 + dE)
    I += h / 6 * (c1 + 2 * c2 + 2 * c3 + dI)
    if (step % 100 == 0) told = told (told == "" ? "" : ", ") sprintf("\"day_%d\": %.8g", step / 10, I)
  }
  print "{" told "}"
}
