"""What a point tells of its surroundings counts where these are in the domain.

Far from all results a model is as uncertain at an edge as inside, and a little more so in the corners, so
that expected improvement goes along the edges first. But of what is learned there half lies outside.

Notation: D coordinates, n points, l_j the distance over which the function changes along coordinate j, Phi
the normal distribution function.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from orchestrator.acquisition.posterior import Function
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics import normal


class OfSurroundings:
    """A logarithm, as a function of (n, D) points in the unit cube, plus that of the part of a normal
    distribution of deviations l_j about the point that lies in the cube, as compared with the centre's.

    ``reaches`` (C,) are l_j > 0 of the coordinates ``along`` (C,) that count: continuous ones. What is added
    is 0 at the centre and never below C log(1/2).
    """

    def __init__(self, function: Function, reaches: FloatArray, along: IndexArray) -> None:
        self._function = function
        self._reaches = reaches
        self._along = along

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values."""
        return self._function.values(X) + self._inside(X)[0]

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, D) gradients."""
        values, gradients = self._function.values_and_gradients(X)
        added, slopes = self._inside(X)
        gradients = gradients.copy()
        gradients[:, self._along] += slopes
        return values + added, gradients

    def _inside(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) sum_j log((Phi((1 - x_j) / l_j) - Phi(-x_j / l_j)) / (2 Phi(1 / 2 l_j) - 1)), and (n, C) its
        slopes.
        """
        low, high = -X[:, self._along] / self._reaches, (1.0 - X[:, self._along]) / self._reaches
        inside = ndtr(high) - ndtr(low)
        at_the_centre = 2.0 * ndtr(0.5 / self._reaches) - 1.0
        slopes = (normal.density(low) - normal.density(high)) / (self._reaches * inside)
        return np.log(inside / at_the_centre).sum(axis=1), slopes
