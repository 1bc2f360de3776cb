"""Values of choices, drawn by how often they were among the better ones.

Source: Hamano et al. 2024, "CatCMA", whose choices are drawn independently of all else, and from which each
value keeps a least chance; here they are learned as quickly as the covariance is.
Notation: k positions of one choice, λ points of a generation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.coordinate import Coordinate


@dataclass(frozen=True, eq=False)
class ChoiceFrequencies:
    """Of one categorical ``coordinate``: (k,) ``chances``, which add up to 1."""

    coordinate: Coordinate
    chances: FloatArray

    @classmethod
    def even(cls, coordinate: Coordinate) -> ChoiceFrequencies:
        """Each value as likely."""
        k = len(coordinate.positions)
        return cls(coordinate, np.full(k, 1.0 / k))

    def draw(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count,) positions."""
        ends = np.cumsum(self.chances)[:-1]
        return np.asarray(self.coordinate.grid[np.searchsorted(ends, rng.random(count), side="right")])

    def updated(
        self, positions: FloatArray, weights: FloatArray, rate: float, least: float
    ) -> ChoiceFrequencies:
        """After (m,) positions of the best points, with weights that add up to 1: so much of what they say
        is learned, and to have another value than the most frequent one keeps a chance of ``least``.
        """
        k = len(self.chances)
        if k == 1:
            return self
        nearest = np.abs(positions[:, None] - self.coordinate.grid).argmin(axis=1)
        seen = np.bincount(nearest, weights=weights, minlength=k)
        chances = (1.0 - rate) * self.chances + rate * seen
        floor = min(least / (k - 1), 1.0 / k)
        # What is above the floor gives what is missing below it.
        above = np.maximum(chances - floor, 0.0)
        spare = 1.0 - k * floor
        return ChoiceFrequencies(self.coordinate, floor + spare * above / max(float(above.sum()), 1e-300))
