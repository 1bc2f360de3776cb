# How bright a dye is, by its pH, its heat and its dose, on a plate that is brighter or darker than others by what
# nobody chooses: as a program is told of the plate that lies there, by a file or by whoever loads it.
# Reads ph, heat, dose and seed; prints JSON with the plate beside the value.
BEGIN {
    srand(seed)
    well = seed % 1000
    for (i = 0; i < 3; i++) noise += rand() - 0.5
    bright = 3 - (ph - 6.2) ^ 2 - ((heat - 48) / 15) ^ 2 - (log(dose / 0.4)) ^ 2 / 2
    printf "{\"value\": %.5f, \"plate\": %d}\n", bright + offset + 0.2 * noise, plate
}
