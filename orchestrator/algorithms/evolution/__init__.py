"""What evolutionary algorithms are made of: a distribution that learns from ranks, and a population that breeds."""
