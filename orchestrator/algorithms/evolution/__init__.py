"""Parts of evolutionary algorithms: a distribution that learns from ranks, a population that breeds."""
