"""A function of embedded inputs, seen as one of points in the unit cube.

Notation: D coordinates, E embedded columns, n points.
"""

from __future__ import annotations

from orchestrator.acquisition.posterior import Function
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


class Embedded:
    """What a maximiser climbs: values and gradients at (n, D) points, 0 along coordinates that are
    categorical or do not count.
    """

    def __init__(self, domain: Domain, function: Function) -> None:
        self.domain = domain
        self.function = function

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values at (n, D) points."""
        return self.function.values(self.domain.embed(X))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, D) gradients."""
        values, slopes = self.function.values_and_gradients(self.domain.embed(X))
        return values, self.domain.along_coordinates(slopes, X)
