"""A low-dimensional slice of the unit cube, in which an acquisition is easy to maximise.

Notation: D coordinates, d dimensions of the slice, Z (p, d) points in the unit cube of the slice, which stand
for x = clip(origin + (2 z - 1) axes), snapped to what is feasible.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import Allows, Effort, maximise
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False)
class Subspace:
    """``origin`` (D,), and ``axes`` (d, D), each as long as the slice reaches in one direction."""

    domain: Domain
    origin: FloatArray
    axes: FloatArray

    @classmethod
    def line(cls, domain: Domain, through: FloatArray, direction: FloatArray) -> Subspace:
        """Through a (D,) feasible point; ``direction`` (D,) is not zero. It goes on along the faces of the
        cube that it meets, as one through a corner would otherwise have no length.
        """
        return cls(domain, through, (direction / np.abs(direction).max())[None, :])

    def points(self, Z: FloatArray) -> FloatArray:
        """(p, D) feasible points."""
        return self._clipped(self._unclipped(Z))

    def coordinates(self, X: FloatArray) -> FloatArray:
        """(p, d) coordinates of (p, D) points, or of those of the slice that are near.

        Coordinates of X at a bound say only that something was clipped, so they count little.
        """
        Z = []
        for x in X:
            weight = np.where((x > 0.0) & (x < 1.0), 1.0, 1e-3)
            solution, *_ = np.linalg.lstsq((self.axes * weight).T, (x - self.origin) * weight, rcond=None)
            Z.append(np.clip(0.5 * (solution + 1.0), 0.0, 1.0))
        return np.array(Z).reshape(len(X), len(self.axes))

    def maximise(
        self,
        objective: Embedded,
        incumbents: FloatArray,
        allows: Allows,
        rng: np.random.Generator,
        effort: Effort | None = None,
    ) -> FloatArray | None:
        """The best (D,) point of the slice that ``allows`` lets through; None if it lets none.

        ``incumbents`` (k, D) need not lie in the slice.
        """
        within = _Within(self, objective)
        cube = Domain.continuous(len(self.axes))
        found = maximise(
            within,
            cube,
            self.coordinates(incumbents),
            lambda Z: allows(self.points(Z)),
            rng,
            effort or Effort(),
        )
        return None if found is None else self.points(found.point[None, :])[0]

    def _unclipped(self, Z: FloatArray) -> FloatArray:
        raw: FloatArray = self.origin + (2.0 * Z - 1.0) @ self.axes
        return raw

    def _clipped(self, raw: FloatArray) -> FloatArray:
        # What comes round would else come in at the other end, and slopes would not be those of the values.
        return self.domain.snap(np.clip(raw, 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class _Within:
    """An objective as a function of the slice's coordinates."""

    subspace: Subspace
    objective: Embedded

    def values(self, X: FloatArray) -> FloatArray:
        return self.objective.values(self.subspace.points(X))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        raw = self.subspace._unclipped(X)
        values, slopes = self.objective.values_and_gradients(self.subspace._clipped(raw))
        moving = (raw > 0.0) & (raw < 1.0) & self.subspace.domain.is_continuous
        return values, 2.0 * (slopes * moving) @ self.subspace.axes.T
