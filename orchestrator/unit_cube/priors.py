"""What is known of some coordinates beforehand: how much more plausible some of their positions are for that.

Densities are in relation to numbers that fill the unit cube evenly, as of `Domain.spread`, and each has the
mean 1 over these: of what does not count at a point nothing is known.

Notation: n points, D coordinates, k positions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.log_sum import log_sum
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.joint_prior import PriorOfDraws
from orchestrator.values.distributions import AboutMean

SMALLEST = float(np.finfo(float).tiny)
FARTHEST = 1e150
"""In deviations: what lies farther off lies so far, and its square is a number still."""


@dataclass(frozen=True, slots=True)
class PriorOfNumbers:
    """Of a coordinate whose positions are numbers from ``start`` to ``end``, linearly, or their logarithms if
    it is ``logarithmic``. ``spread`` is that of the numbers, or of their logarithms where it is
    ``by_logarithm``.
    """

    start: float
    end: float
    logarithmic: bool
    spread: AboutMean
    by_logarithm: bool

    def log(self, positions: FloatArray) -> FloatArray:
        """(n,) of (n,) positions."""
        low, high = self._of(np.array([0.0, 1.0])).tolist()
        inside = self.spread.until(high) - self.spread.until(low)
        return self.log_unscaled(positions) + math.log((self.end - self.start) / max(inside, SMALLEST))

    def log_unscaled(self, positions: FloatArray) -> FloatArray:
        """(n,) the same, but for a constant."""
        told, deviation = self._of(positions), self.spread.deviation
        logs = -0.5 * np.square(self._deviations_off(told))
        logs -= math.log(deviation * math.sqrt(2.0 * math.pi))
        if self.logarithmic and not self.by_logarithm:
            logs += np.log(told)
        elif self.by_logarithm and not self.logarithmic:
            logs -= told
        return np.asarray(logs)

    def slopes(self, positions: FloatArray) -> FloatArray:
        """(n,) derivatives of `log` by the position, infinite where they are beyond any number."""
        told, width = self._of(positions), self.end - self.start
        with np.errstate(over="ignore"):
            slopes = -self._deviations_off(told) / self.spread.deviation
        if self.logarithmic and not self.by_logarithm:
            return np.asarray((slopes * told + 1.0) * width)
        if self.by_logarithm and not self.logarithmic:
            numbers = self.start + positions * width
            inside = numbers > SMALLEST
            return np.where(inside, (slopes - 1.0) * width / np.where(inside, numbers, 1.0), 0.0)
        return np.asarray(slopes * width)

    def quantiles(self, shares: FloatArray) -> FloatArray:
        """(n,) the positions below which (n,) shares in [0, 1] of it lie."""
        from scipy.special import ndtri  # takes longer to load than all else here

        low, high = (self.spread.until(end) for end in self._of(np.array([0.0, 1.0])).tolist())
        return self._at(self.spread.mean + self.spread.deviation * ndtri(low + shares * (high - low)))

    @property
    def middle(self) -> float:
        """The position of what was said, or the nearest end."""
        return float(self._at(np.array([self.spread.mean]))[0])

    def _deviations_off(self, told: FloatArray) -> FloatArray:
        """By how many deviations (n,) numbers lie above the mean."""
        with np.errstate(over="ignore"):
            off = (told - self.spread.mean) / self.spread.deviation
        return np.clip(off, -FARTHEST, FARTHEST)

    def _at(self, told: FloatArray) -> FloatArray:
        """The positions of what is normally distributed."""
        if self.logarithmic and not self.by_logarithm:
            told = np.log(np.maximum(told, SMALLEST))
        elif self.by_logarithm and not self.logarithmic:
            told = np.exp(told)
        return np.clip((told - self.start) / (self.end - self.start), 0.0, 1.0)

    def _of(self, positions: FloatArray) -> FloatArray:
        """What is normally distributed."""
        told = self.start + positions * (self.end - self.start)
        if self.logarithmic and not self.by_logarithm:
            return np.exp(told)
        if self.by_logarithm and not self.logarithmic:
            # Bounds may begin at 0, and the cell of the lowest of several numbers below.
            return np.log(np.maximum(told, SMALLEST))
        return told


@dataclass(frozen=True, eq=False, slots=True)
class PriorOfPositions:
    """Of a ``coordinate`` with few positions: (k,) ``logs``."""

    coordinate: Coordinate
    logs: FloatArray

    @classmethod
    def of_numbers(cls, coordinate: Coordinate, numbers: PriorOfNumbers) -> PriorOfPositions:
        """By the density at each position."""
        logs = numbers.log_unscaled(coordinate.grid)
        inside = log_sum((logs + np.log(np.diff(coordinate.ends)))[:, None])
        return cls(coordinate, logs - inside)

    @classmethod
    def of_chances(cls, coordinate: Coordinate, chances: FloatArray) -> PriorOfPositions:
        """Of (k,) chances of the positions, of which some may be 0."""
        with np.errstate(divide="ignore"):
            logs = np.log(chances / chances.sum()) - np.log(np.diff(coordinate.ends))
        return cls(coordinate, logs)

    def slopes(self, positions: FloatArray) -> FloatArray:
        """(n,) derivatives of `log` by the position: none within a cell."""
        return np.zeros(len(positions))

    def quantiles(self, shares: FloatArray) -> FloatArray:
        """(n,) numbers that `Domain.spread` turns into the positions below which (n,) shares in [0, 1] of it
        lie.
        """
        below = np.concatenate([[0.0], np.cumsum(self.chances)])
        return np.asarray(np.interp(shares, below / below[-1], self.coordinate.ends))

    @property
    def chances(self) -> FloatArray:
        """(k,) of the positions, in the order of the cells that `Domain.spread` turns into them."""
        chances, described = np.exp(self.logs) * np.diff(self.coordinate.ends), self.coordinate.descriptors
        return chances if described is None else np.asarray(chances[described.order])

    def log(self, positions: FloatArray) -> FloatArray:
        """(n,) of (n,) positions, minus infinity of what cannot be."""
        return np.asarray(self.logs[np.searchsorted(self.coordinate.middles, positions)])


PriorOfCoordinate: TypeAlias = PriorOfNumbers | PriorOfPositions


@dataclass(frozen=True, eq=False, slots=True)
class PriorOfPoints:
    """Of those of D coordinates of which something is known, ``each`` by its number, apart from others, and
    what is known of others ``together``, which count everywhere.
    """

    each: Mapping[int, PriorOfCoordinate]
    together: PriorOfDraws | None = None

    def log(self, domain: Domain, points: FloatArray) -> FloatArray:
        """(n,) of (n, D) feasible points, minus infinity where nothing can be."""
        counts, total = domain.active(points), np.zeros(len(points))
        for j, prior in self.each.items():
            own = counts[:, j]
            total[own] += prior.log(points[own, j])
        return total if self.together is None else total + self.together.log(points)
