"""The algorithms, a file each, in terms of their parts: they are asked for points, and told results."""
