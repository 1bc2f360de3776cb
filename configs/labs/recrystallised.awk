# What a chemist might get back, in per cent, of a compound that is dissolved in a solvent, so hot, and crystallises as
# it cools: most in one that dissolves much of it hot and little of it cold, which goes by how polar it is, and none of
# that boils away. The numbers of a solvent are read where the chemist has them, and no more of it is told to the model.
BEGIN {
    FS = ","
    while ((getline < "configs/labs/solvents.csv") > 0)
        if ($1 == solvent) { polarity = $2; boiling = $3; dipole = $5 }
    likes = exp(-((polarity - 4.6) / 1.6) ^ 2) * (1 - 0.06 * dipole)
    hot = 1 / (1 + exp(-(heat - 55) / 12))
    boiled = 1 / (1 + exp(-(heat - boiling + 8) / 8))
    slow = 1 - exp(-hours / 3)
    printf "{\"back\": %.4f}\n", 96 * likes * hot * (1 - boiled) * slow
}
