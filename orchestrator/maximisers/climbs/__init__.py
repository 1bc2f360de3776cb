"""Up the gradient, from many starts at once, and where it is worth to begin."""
