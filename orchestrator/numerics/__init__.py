"""Linear algebra, random streams and the like, which know nothing of optimisation."""
