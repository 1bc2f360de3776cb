"""Maximisers of a sum over factors, of which each factor's node knows its own function alone."""
