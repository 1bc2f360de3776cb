"""A function of embedded inputs, seen as one of points in the unit cube.

Notation: D coordinates, E embedded columns, n points.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from orchestrator.acquisition.posterior import Function
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.domain import Domain


class Embedded:
    """What a maximiser climbs: values and gradients at (n, D) points, 0 along coordinates that are
    categorical or do not count.
    """

    def __init__(self, domain: Domain, function: Function) -> None:
        self.domain = domain
        self.function = function

    @cached_property
    def _ordered_columns(self) -> BoolArray:
        """(E,) the columns that are coordinates themselves, not categories."""
        ordered = np.array([c.kind != "categorical" for c in self.domain.coordinates])
        return ordered[self.domain.embedded_parameter]

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values at (n, D) points."""
        return self.function.values(self.domain.embed(X))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, D) gradients."""
        values, slopes = self.function.values_and_gradients(self.domain.embed(X))
        columns = self._ordered_columns
        if columns.all():
            gradients = slopes
        else:
            gradients = np.zeros(X.shape)
            gradients[:, self.domain.embedded_parameter[columns]] = slopes[:, columns]
        if self.domain.activity is not None:
            gradients = gradients * self.domain.active(X)
        return values, gradients
