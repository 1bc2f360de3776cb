"""Which points were told, and how those compare that were compared.

Notation: D coordinates, n points compared, m comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from orchestrator.algorithms.base import Comparison
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.latent.utility import Compared
from orchestrator.unit_cube.domain import Domain


class ToldComparisons:
    """Grows in place. A trial has to be told before what it is compared by."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._points: dict[int, FloatArray] = {}
        self._comparisons: list[Comparison] = []

    def __len__(self) -> int:
        """m."""
        return len(self._comparisons)

    def place(self, trial: int, point: FloatArray) -> None:
        """Where a trial lies, (D,)."""
        self._points[trial] = self._domain.rounded(point)

    def unplaced(self, points: FloatArray) -> int:
        """At how many of (k, D) points no trial that was told lies."""
        placed = {point.tobytes() for point in self._points.values()}
        return sum(self._domain.rounded(point).tobytes() not in placed for point in points)

    def add(self, comparisons: Iterable[Comparison]) -> None:
        """Raises ValueError for a trial that was not told, or is compared with itself."""
        for one in comparisons:
            if one.better == one.worse or not {one.better, one.worse} <= self._points.keys():
                raise ValueError(f"expected a comparison of two trials that were told, got {one}")
            self._comparisons.append(one)

    @property
    def trials(self) -> list[int]:
        """n numbers of those that were compared, ascending."""
        return sorted({trial for one in self._comparisons for trial in (one.better, one.worse)})

    def points(self) -> FloatArray:
        """(n, D) of `trials`."""
        return np.array([self._points[trial] for trial in self.trials])

    def compared(self) -> Compared:
        """As a model takes it, the n points in the order of `trials`. There must be a comparison."""
        row = {trial: i for i, trial in enumerate(self.trials)}
        pairs = np.array([[row[one.better], row[one.worse]] for one in self._comparisons], dtype=np.intp)
        alike = np.array([one.alike for one in self._comparisons], dtype=bool)
        return Compared(self._domain.embed(self.points()), pairs, alike)
