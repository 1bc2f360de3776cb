"""What a point is worth, by what a model believes: improvement, bounds, draws, information."""
