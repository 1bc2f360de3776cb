"""Hypotheses of one function, each weighed by how well it explains the results."""
