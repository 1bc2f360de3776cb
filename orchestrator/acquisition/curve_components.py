"""Curves as a few numbers: the principal components of those seen, with the rest as noise.

Of thousands of points that vary together a handful of numbers tells all, and a model of these costs the same
however many points there are.

Notation: n curves of q points, r components; c (q,) their centre, e (q,) the units of each point, V (r, q)
with rows of length 1 at right angles: a curve is c + e * (w V) + the rest, with the weights w (r,).
Source: Higdon, Gattiker, Williams & Rightley 2008, section 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray

MOST_COMPONENTS = 12
LEAST_REST = 1e-10
"""Of what curves vary by, squared: components are taken until less is left."""


@dataclass(frozen=True, eq=False, slots=True)
class Curve:
    """Which ``columns`` of outcomes are the points of a curve, and the (q,) ``units`` > 0 in which each is to
    be told.
    """

    columns: slice
    units: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class CurveComponents:
    """Of a ``curve``: (q,) ``centre`` and (r, q) ``directions``, r >= 1."""

    curve: Curve
    centre: FloatArray
    directions: FloatArray

    @classmethod
    def of(cls, curve: Curve, seen: FloatArray) -> CurveComponents:
        """By (n, q) curves, n >= 1."""
        centre = seen.mean(axis=0)
        apart = (seen - centre) / curve.units
        largest = float(np.abs(apart).max()) or 1.0
        _, sizes, directions = np.linalg.svd(apart / largest, full_matrices=False)
        squares = np.square(sizes)
        rest = squares.sum() - np.cumsum(squares)
        enough = 1 + int(np.count_nonzero(rest > LEAST_REST * squares.sum()))
        return cls(curve, centre, directions[: min(enough, MOST_COMPONENTS)])

    def weights(self, curves: FloatArray) -> FloatArray:
        """(n, r) of (n, q) curves."""
        return np.asarray(((curves - self.centre) / self.curve.units) @ self.directions.T)

    def curves(self, weights: FloatArray) -> FloatArray:
        """(..., q) of (..., r) weights, without the rest."""
        return np.asarray(self.centre + self.curve.units * (weights @ self.directions))

    def rest(self, seen: FloatArray) -> FloatArray:
        """(q,) the deviation of what is left of (n, q) curves, n >= 1."""
        left = seen - self.curves(self.weights(seen))
        return np.asarray(np.sqrt(np.square(left).mean(axis=0)))
