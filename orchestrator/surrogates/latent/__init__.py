"""Functions of which labels or comparisons are known, and no values, by Laplace's method."""
