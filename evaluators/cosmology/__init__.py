"""Cosmology as evaluators: how likely measured galaxies are, given the constants of the universe."""

from evaluators.cosmology.galaxy_clustering import likelihood

__all__ = ["likelihood"]
