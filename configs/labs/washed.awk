# How much of a stain a detergent takes away, in %, by the tube that it comes from and the dose. What is in the tube
# stands in the table that is read here, as a robot has the tube itself.
BEGIN { FS = "," }
$1 == tube {
    found = 1
    balance = $3 / $2 - 0.62
    washed = 96 * exp(-12 * balance ^ 2 - (($2 - 13) / 6) ^ 2 - ($4 - 1) ^ 2 / 8 - log(dose / (0.2 + 0.1 * $3)) ^ 2 / 3)
    printf "{\"washed\": %.4f}\n", washed
}
END { if (!found) exit 1 }
