"""What is known of several coordinates together beforehand, by draws: how much more plausible some of their
positions are for that.

Between draws their density is a mixture of normal distributions, of what the standard normal distribution
has up to where a position lies: so there is nothing beyond the bounds, none of what is within is lost there,
and where draws lie evenly the density is exactly even, up to the bounds.

Notation: n points, D coordinates, r draws, C of the coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.coordinate import Coordinate

if TYPE_CHECKING:
    from orchestrator.numerics.normal_mixture import NormalMixture

NEAREST_END = 1e-6
"""Of the unit interval: nearer its ends a density is what it is there."""

MOST_DRAWS = 4096
"""Of which a density is made; of more, so many that lie evenly among their rows."""


@dataclass(frozen=True, eq=False)
class PriorOfDraws:
    """Of C coordinates, by their ``numbers``, no categories among them: (r, C) ``positions`` that were drawn
    together.
    """

    numbers: tuple[int, ...]
    coordinates: Sequence[Coordinate]
    positions: FloatArray

    def log(self, points: FloatArray) -> FloatArray:
        """(n,) of (n, D) points, in relation to coordinates that lie evenly. Takes a second at first."""
        own = points[:, list(self.numbers)]
        even = [_middle_of_cell(one, column) for one, column in zip(self.coordinates, own.T, strict=True)]
        scores = _scores(np.column_stack(even))
        standard = -0.5 * (np.square(scores) + np.log(2.0 * np.pi)).sum(axis=1)
        return np.asarray(self._density.log(scores) - standard)

    @cached_property
    def _density(self) -> NormalMixture:
        # It loads SciPy, which reading a spec does not need.
        from orchestrator.numerics.normal_mixture import NormalMixture

        rng = stream(0, "draws of a prior, within cells", *self.numbers)
        rows = (
            np.linspace(0, len(self.positions) - 1, min(len(self.positions), MOST_DRAWS)).round().astype(int)
        )
        told = zip(self.coordinates, self.positions[rows].T, strict=True)
        return NormalMixture.of(_scores(np.column_stack([_within_cell(*one, rng) for one in told])))


def _scores(positions: FloatArray) -> FloatArray:
    """Up to which the standard normal distribution has so much."""
    from scipy.special import ndtri  # takes longer to load than all else here

    return np.asarray(ndtri(np.clip(positions, NEAREST_END, 1.0 - NEAREST_END)))


def _middle_of_cell(coordinate: Coordinate, positions: FloatArray) -> FloatArray:
    """(n,) numbers that lie evenly, of (n,) positions."""
    if not coordinate.positions:
        return positions
    cells, ends = np.searchsorted(coordinate.middles, positions), coordinate.ends
    return np.asarray((ends[cells] + ends[cells + 1]) / 2.0)


def _within_cell(coordinate: Coordinate, positions: FloatArray, rng: np.random.Generator) -> FloatArray:
    """(r,) the same, all over the cells of those that are listed."""
    if not coordinate.positions:
        return positions
    cells, ends = np.searchsorted(coordinate.middles, positions), coordinate.ends
    return np.asarray(ends[cells] + rng.random(len(cells)) * (ends[cells + 1] - ends[cells]))
