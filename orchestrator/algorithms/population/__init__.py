"""Parts of searches that train a population, of which the worst go on from what the best left."""
