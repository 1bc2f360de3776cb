# What a cooling fin is worth, a metre of it: a program that reads an input file, for configs/labs/input-file.yaml.
#
#   awk -f fin.awk fin.in
#
# fin.in has blocks of `name = value`, as fin.in.template shows. Prints the heat that the fin sheds in W, its mass
# in kg, and its gain: the heat less what the metal costs, at 200 W for the price of a kilogram of aluminium.
{
    sub(/#.*/, "")
    gsub(/[;{}]/, " ")
    gsub(/=/, " = ")
    for (i = 2; i < NF; i++) if ($i == "=") said[$(i - 1)] = $(i + 1)
}
END {
    length_m = said["length"] / 1000; thickness_m = said["thickness"] / 1000
    if (said["material"] == "aluminium") { conductivity = 205; density = 2700; price = 1 }
    else if (said["material"] == "copper") { conductivity = 390; density = 8960; price = 3 }
    else { print "fin.awk: expected aluminium or copper, got " said["material"] > "/dev/stderr"; exit 2 }
    if (length_m <= 0 || thickness_m <= 0) {
        print "fin.awk: expected a length and a thickness above 0" > "/dev/stderr"
        exit 2
    }
    # A plate that loses heat on both sides, and at its end as if it were longer by half its thickness.
    slope = sqrt(2 * said["coefficient"] / (conductivity * thickness_m))
    z = slope * (length_m + thickness_m / 2)
    heat = said["colder_by"] * sqrt(2 * said["coefficient"] * conductivity * thickness_m)
    heat *= (exp(z) - exp(-z)) / (exp(z) + exp(-z))
    mass = density * length_m * thickness_m
    printf "heat = %.3f W\nmass = %.4f kg\ngain = %.3f\n", heat, mass, heat - 200 * price * mass
}
