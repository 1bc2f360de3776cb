"""Where good settings are believed to lie, as a person says it, in the unit cube.

A hunch may be wrong. Of each coordinate that it is about a part of it says nothing, so that no place is
excluded: its density there is never below that part of what it is on average.

Notation: D coordinates, n points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.priors import PriorOfCoordinate

WRONG = 0.01
"""How often a hunch about a parameter is taken to be quite wrong: as the part of it that says nothing."""


@dataclass(frozen=True, eq=False, slots=True)
class HunchOfCoordinate:
    """The ``density`` of one, between its positions as well where these are of numbers, what is ``drawn`` of
    it, and the position in its ``middle``, which whoever has it would try first.
    """

    density: PriorOfCoordinate
    drawn: PriorOfCoordinate
    middle: float

    def log(self, positions: FloatArray) -> FloatArray:
        """(n,) of (n,) positions, at least log `WRONG`; 0 where it is as everywhere on average."""
        return np.asarray(np.logaddexp(np.log1p(-WRONG) + self.density.log(positions), np.log(WRONG)))

    def slopes(self, positions: FloatArray) -> FloatArray:
        """(n,) derivatives of it by the position."""
        own = np.log1p(-WRONG) + self.density.log(positions)
        shares, slopes = np.exp(own - self.log(positions)), np.zeros(len(positions))
        # Of a narrow one, far off, they are infinite: there the part that says nothing has all of the say.
        np.multiply(shares, self.density.slopes(positions), out=slopes, where=shares > 0.0)
        return slopes


@dataclass(frozen=True, eq=False, slots=True)
class Hunch:
    """Of those of D coordinates that there is one about, ``each`` by its number, apart from others; points
    are as they are seen on ``scales``.
    """

    each: Mapping[int, HunchOfCoordinate]
    scales: Scales = field(default_factory=Scales)

    def on(self, scales: Scales) -> Hunch:
        """The same, of points as they are seen on these."""
        return replace(self, scales=scales)

    def log(self, domain: Domain, points: FloatArray) -> FloatArray:
        """(n,) of (n, D) points, climbed between their positions or not: how much more promising these are
        than all are on average, as a logarithm. What does not count at a point changes nothing.
        """
        counts, total = domain.active(points), np.zeros(len(points))
        for j, one in self.each.items():
            own = counts[:, j]
            total[own] += one.log(self._told(j, points[own, j]))
        return total

    def log_and_gradients(self, domain: Domain, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same, and its (n, D) gradients."""
        counts, gradients, seen_on = domain.active(points), np.zeros(points.shape), self.scales.of
        for j, one in self.each.items():
            own = counts[:, j]
            slopes = one.slopes(self._told(j, points[own, j]))
            gradients[own, j] = slopes * seen_on[j].slopes_told(points[own, j]) if j in seen_on else slopes
        return self.log(domain, points), gradients

    def drawn(self, uniform: FloatArray) -> FloatArray:
        """(n, D) numbers that fill the unit cube evenly as such that `Domain.spread` turns into points which
        lie as the hunch says.
        """
        points, seen_on = uniform.copy(), self.scales.of
        for j, one in self.each.items():
            told = one.drawn.quantiles(uniform[:, j])
            points[:, j] = seen_on[j].seen(told) if j in seen_on else told
        return points

    def middle(self, domain: Domain) -> FloatArray:
        """(D,) the feasible point nearest to its middle, mid-way along coordinates that it is not about."""
        points, seen_on = domain.spread(np.full((1, domain.dimension), 0.5)), self.scales.of
        for j, one in self.each.items():
            told = np.array([one.middle])
            points[:, j] = seen_on[j].seen(told) if j in seen_on else told
        return np.asarray(domain.snap(points)[0])

    def _told(self, j: int, positions: FloatArray) -> FloatArray:
        return self.scales.of[j].told(positions) if j in self.scales.of else positions
