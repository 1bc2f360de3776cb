"""Maximising over a box inside the domain: the box is stretched to a unit cube of its own.

Notation: D coordinates, n points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from orchestrator.domain import Coordinate, Domain
from orchestrator.maximisers.ascent import Objective
from orchestrator.maximisers.maximum import Maximum
from orchestrator.maximisers.multistart import Allows, Effort, maximise

FloatArray = NDArray[np.float64]

# A coordinate that is held has a box of no width; it is stretched as if it had this much.
LEAST_WIDTH = 1e-12
# The half-side of a box that holds other categories than its centre's.
REACHES_CATEGORIES = 0.1
DEFAULT = Effort()


@dataclass(frozen=True, eq=False)
class Box:
    """(D,) corners in the unit cube."""

    domain: Domain
    lower: FloatArray
    upper: FloatArray

    @classmethod
    def about(cls, domain: Domain, centre: FloatArray, half: FloatArray) -> Box:
        """Half-sides (D,) about a feasible (D,) point; and to an ordinal's neighbour at least.

        All categories are as far as each other: the others lie in a wide box, and in no narrow one.
        """
        half = half.copy()
        for j, coordinate in enumerate(domain.coordinates):
            if coordinate.kind == "categorical":
                half[j] = 1.0 if half[j] >= REACHES_CATEGORIES else 0.0
            elif len(coordinate.positions) > 1:
                half[j] = max(half[j], float(np.diff(coordinate.grid).max()))
        return cls(domain, np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0))

    @property
    def width(self) -> FloatArray:
        """(D,) sides, none of them 0."""
        return np.maximum(self.upper - self.lower, LEAST_WIDTH)

    def contains(self, points: FloatArray) -> NDArray[np.bool_]:
        """(n,) which of (n, D) points lie inside."""
        return np.asarray(((points >= self.lower) & (points <= self.upper)).all(axis=1))

    def stretched(self, points: FloatArray) -> FloatArray:
        """Points of the box as points of a unit cube."""
        return (points - self.lower) / self.width

    def shrunk(self, points: FloatArray) -> FloatArray:
        """The inverse of `stretched`, snapped to the domain."""
        return self.domain.snap(self.lower + points * self.width)

    def maximise(
        self,
        objective: Objective,
        incumbents: FloatArray,
        allows: Allows,
        rng: np.random.Generator,
        effort: Effort = DEFAULT,
    ) -> FloatArray | None:
        """The best (D,) point of the box found that is allowed, as `multistart.maximise` does; or None."""
        found: Maximum | None = maximise(
            _Stretched(objective, self),
            self._inner,
            self.stretched(incumbents[self.contains(incumbents)]),
            lambda points: allows(self.shrunk(points)),
            rng,
            effort,
        )
        return None if found is None else self.shrunk(found.point)

    @property
    def _inner(self) -> Domain:
        """The box's own domain: of a discrete coordinate the positions inside."""
        coordinates = []
        for j, coordinate in enumerate(self.domain.coordinates):
            if not coordinate.positions:
                coordinates.append(coordinate)
                continue
            grid = coordinate.grid
            inside = grid[(grid >= self.lower[j]) & (grid <= self.upper[j])]
            places = (inside - self.lower[j]) / self.width[j]
            coordinates.append(Coordinate(coordinate.kind, tuple(places.tolist())))
        return Domain(tuple(coordinates))


@dataclass(frozen=True, eq=False, slots=True)
class _Stretched:
    objective: Objective
    box: Box

    def values(self, X: FloatArray) -> FloatArray:
        return self.objective.values(self.box.lower + X * self.box.width)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        values, gradients = self.objective.values_and_gradients(self.box.lower + X * self.box.width)
        return values, gradients * self.box.width
