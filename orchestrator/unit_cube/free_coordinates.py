"""The coordinates of a whole that are free where others are 0, as a product of their own.

Notation: n points, D coordinates of the whole, F that are free on the face.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.product import Product

PARTS_OF_A_STEP = 64


class ProductOfCoordinates(Product, Protocol):
    """One whose coordinates are known."""

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """(D,)."""
        ...

    @property
    def activity(self) -> object | None:
        """What says which of them count where, if not all always do."""
        ...


@dataclass(frozen=True, eq=False)
class Following:
    """``axes`` (s,) that are ``constants`` (s,) and ``factors`` (s, D) times the others, by which
    sums are 0.
    """

    axes: IndexArray
    constants: FloatArray
    factors: FloatArray


@dataclass(frozen=True, eq=False)
class FreeCoordinates:
    """The product of the coordinates ``axes`` (F,) of a whole, each from its ``low`` (D,) to 1 as from 0 to
    1, or at the positions in ``grids``; the others are ``base`` (D,), or follow.
    """

    whole: ProductOfCoordinates
    axes: IndexArray
    base: FloatArray
    low: FloatArray
    following: Following
    grids: dict[int, FloatArray]

    @property
    def dimension(self) -> int:
        """F."""
        return len(self.axes)

    @property
    def is_discrete(self) -> BoolArray:
        """(F,)."""
        return np.asarray(self.whole.is_discrete[self.axes])

    @property
    def is_unordered(self) -> BoolArray:
        """(F,)."""
        return np.asarray(self.whole.is_unordered[self.axes])

    @property
    def is_plain(self) -> bool:
        """Whether all of them are continuous and always count."""
        return not self.is_discrete.any() and self.whole.activity is None

    @property
    def listed(self) -> None:
        """The points of a face are not listed."""
        return None

    @property
    def finest(self) -> float:
        """Of a way across it a part in which next to nothing changes: where all coordinates have steps, a
        small part of the least of these; else 0.
        """
        steps = [self._least_step(axis) for axis in self.axes]
        return min(steps, default=0.0) / PARTS_OF_A_STEP

    def _least_step(self, axis: int) -> float:
        whole = self.whole.coordinates[axis].whole
        if whole is not None:
            return whole.edge(whole.high + 1) - whole.edge(whole.high)
        return float(np.diff(self.grids[axis]).min(initial=1.0)) if axis in self.grids else 0.0

    def unclipped(self, points: FloatArray) -> FloatArray:
        """(n, D) of (n, F), with what follows wherever that leads."""
        whole = np.tile(self.base, (len(points), 1))
        low = self.low[self.axes]
        whole[:, self.axes] = low + points * (1.0 - low)
        whole[:, self.following.axes] = self.following.constants + whole @ self.following.factors.T
        return whole

    def lifted(self, points: FloatArray) -> FloatArray:
        """(n, D) points of the whole of (n, F) ones of the face."""
        return self.whole.rounded(self.unclipped(points))

    def lowered(self, points: FloatArray) -> FloatArray:
        """(n, F) the nearest of (n, D) points of the whole."""
        low = self.low[self.axes]
        width = np.where(low < 1.0, 1.0 - low, 1.0)
        return np.clip((points[:, self.axes] - low) / width, 0.0, 1.0)

    def rounded(self, points: FloatArray) -> FloatArray:
        """(n, F) the nearest points, each coordinate at a position of its own."""
        snapped = np.clip(points, 0.0, 1.0)
        if self.is_plain:
            return snapped
        for i, axis in enumerate(self.axes):
            if axis in self.grids:
                grid = self.grids[axis]
                snapped[:, i] = grid[np.searchsorted((grid[1:] + grid[:-1]) / 2, snapped[:, i])]
        there = self.unclipped(snapped)[:, self.axes]
        whole = self.lifted(snapped)
        return np.where(whole[:, self.axes] == there, snapped, self.lowered(whole))

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, F) points, each discrete coordinate uniform over its positions."""
        points = rng.random((n, self.dimension))
        for i, axis in enumerate(self.axes):
            if axis in self.grids:
                grid = self.grids[axis]
                points[:, i] = grid[rng.integers(len(grid), size=n)]
        return self.rounded(points)
