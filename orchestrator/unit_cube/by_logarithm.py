"""The unit cube as it would be if some coordinates were on a logarithmic scale.

Where a function varies quickly near one end of a range and slowly at the other, as with a learning rate, the
logarithm of the distance from that end is what it counts by. Seen so, all else stays as it is: a coordinate
of the cube, along which points are spread, climbed from and measured.

Notation: D coordinates, n points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

FEWEST_POSITIONS = 10
"""Of fewer values with an order a scale says little."""


def may_be_by_logarithm(coordinate: Coordinate) -> bool:
    """Whether a coordinate may be: any number, or many values with an order, if they are listed; but none
    that comes round.
    """
    if coordinate.comes_round:
        return False
    if coordinate.kind == "ordinal":
        return len(coordinate.positions) >= FEWEST_POSITIONS
    return coordinate.kind == "continuous" and coordinate.whole is None


@dataclass(frozen=True, order=True)
class ByLogarithm:
    """A ``coordinate``, by its number, that counts by the logarithm of its distance from the lower end, or
    from the ``upper`` one, and of one part in ``ratio`` > 1 of its range upon that.
    """

    coordinate: int
    upper: bool
    ratio: float

    def seen(self, positions: FloatArray) -> FloatArray:
        """(n,) positions, clipped to [0, 1], as they are seen: in [0, 1] as well, and in the same order."""
        # A copy, in one piece: other strides may round otherwise, and what is held has to be found again.
        distances = np.array(np.clip(1.0 - positions if self.upper else positions, 0.0, 1.0), order="C")
        logarithms = np.log1p(self.ratio * distances) / math.log1p(self.ratio)
        return 1.0 - logarithms if self.upper else logarithms

    def told(self, seen: FloatArray) -> FloatArray:
        """The inverse of `seen`, but for rounding; either end is itself."""
        logarithms = np.array(1.0 - seen if self.upper else seen, order="C")
        distances = np.expm1(logarithms * math.log1p(self.ratio)) / self.ratio
        distances = np.where(logarithms < 1.0, np.clip(distances, 0.0, 1.0), 1.0)
        return 1.0 - distances if self.upper else distances

    def slopes_told(self, seen: FloatArray) -> FloatArray:
        """(n,) derivatives of `told`."""
        reach = math.log1p(self.ratio)
        return np.asarray(np.exp((1.0 - seen if self.upper else seen) * reach) * (reach / self.ratio))

    def coordinate_seen(self, told: Coordinate) -> Coordinate:
        """What the coordinate is then, held or not."""
        free = None if told.free is None else self.coordinate_seen(told.free)
        if not told.positions:
            return told
        return replace(told, positions=tuple(self.seen(told.grid).tolist()), free=free)


@dataclass(frozen=True)
class Scales:
    """Which coordinates count by their logarithms, one entry for each that does."""

    by_logarithm: tuple[ByLogarithm, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.by_logarithm)

    @property
    def of(self) -> dict[int, ByLogarithm]:
        """Those by the numbers of their coordinates."""
        return {one.coordinate: one for one in self.by_logarithm}

    @property
    def by_end(self) -> dict[str, list[int]]:
        """The numbers of their coordinates by which end it is, "lower" or "upper"."""
        told = {"lower": [j for j, one in self.of.items() if not one.upper]}
        told["upper"] = [j for j, one in self.of.items() if one.upper]
        return {end: numbers for end, numbers in told.items() if numbers}

    def by_end_of(self, names: Sequence[str]) -> dict[str, list[str]]:
        """The same, by the ``names`` of the coordinates."""
        return {end: [names[j] for j in numbers] for end, numbers in self.by_end.items()}

    def changed(self, coordinate: int, to: ByLogarithm | None) -> Scales:
        """The same with one coordinate on another scale; None: as it was told."""
        others = [one for one in self.by_logarithm if one.coordinate != coordinate]
        return Scales(tuple(sorted([*others, *([] if to is None else [to])])))

    def domain(self, told: Domain) -> Domain:
        """What a product of coordinates is when seen so; parts of it, where some are held, as well."""
        if not self:
            return told
        coordinates = list(told.coordinates)
        for one in self.by_logarithm:
            coordinates[one.coordinate] = one.coordinate_seen(coordinates[one.coordinate])
        return replace(told, coordinates=tuple(coordinates))

    def seen(self, point: FloatArray) -> FloatArray:
        """A (D,) point, or (n, D) points, as they are seen."""
        seen = np.array(point, dtype=float)
        for one in self.by_logarithm:
            seen[..., one.coordinate] = one.seen(seen[..., one.coordinate])
        return seen

    def told(self, seen: FloatArray, domain: Domain) -> FloatArray:
        """The (D,) point of a domain, as it was told, that is ``seen`` so."""
        point = np.array(seen, dtype=float)
        for one in self.by_logarithm:
            j = one.coordinate
            grid, place = domain.coordinates[j].grid, point[j : j + 1]
            point[j] = grid[np.abs(one.seen(grid) - place).argmin()] if len(grid) else one.told(place)[0]
        return point

    def to_json(self) -> list[list[Any]]:
        """JSON values, exact to the bit."""
        return [[one.coordinate, one.upper, one.ratio] for one in self.by_logarithm]

    @classmethod
    def from_json(cls, told: Sequence[Sequence[Any]]) -> Scales:
        """What `to_json` wrote."""
        return cls(tuple(ByLogarithm(int(j), bool(upper), float(ratio)) for j, upper, ratio in told))
