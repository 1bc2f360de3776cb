"""A list of points, of which each of some coordinates has its part: the only ones that may be.

Notation: R rows, A coordinates that they are of, D coordinates in all, E columns, n points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

SAME = 1e-9
"""Rows this near to each other in every coordinate cannot be told apart; what is this near to one is it."""


@dataclass(frozen=True, eq=False)
class Rows:
    """``positions`` (R, A) of the coordinates ``axes`` (A,), no two of them the `SAME`; ``unordered`` (A,) of
    which any two positions are as far apart as any others. ``once``: each may be tried one time only.
    """

    axes: IndexArray
    positions: FloatArray
    unordered: BoolArray
    once: bool = True

    def __len__(self) -> int:
        """R."""
        return len(self.positions)

    def among(self, kept: BoolArray) -> Rows:
        """Those of them that are ``kept`` (R,)."""
        return Rows(self.axes, self.positions[kept], self.unordered, self.once)

    def put(self, points: FloatArray, numbers: IndexArray) -> FloatArray:
        """(n, D) points with the rows of these (n,) numbers in them."""
        placed = np.array(points)
        placed[:, self.axes] = self.positions[numbers]
        return placed

    def numbers(self, points: FloatArray) -> IndexArray:
        """(n,) of which row (n, D) points are, -1 of those that are of none."""
        own = np.ascontiguousarray(points[:, self.axes])
        found = np.array([self._by_bytes.get(one.tobytes(), -1) for one in own], dtype=np.intp)
        if len(missing := np.flatnonzero(found < 0)):
            apart, near = self._tree.query(self._columns(own[missing]), distance_upper_bound=SAME)
            found[missing] = np.where(np.isfinite(apart), near, -1)
        return found

    def nearest(self, points: FloatArray) -> IndexArray:
        """(n,) the row nearest to each of (n, D) points; another category is as far as the whole range."""
        return np.asarray(self._tree.query(self._columns(points[:, self.axes]))[1], dtype=np.intp)

    def near(self, point: FloatArray, count: int) -> IndexArray:
        """(k,) the ``count`` rows nearest to a (D,) point, or as many as there are, the nearest first."""
        own = self._columns(point[None, self.axes])
        found = np.atleast_1d(self._tree.query(own[0], k=min(count, len(self)))[1])
        return np.asarray(found, dtype=np.intp)

    def too_near(self) -> tuple[int, int] | None:
        """Two rows that cannot be told apart, if there are any."""
        pairs = self._tree.query_pairs(SAME)
        return min(pairs) if pairs else None

    @cached_property
    def columns(self) -> FloatArray:
        """(R, E) in which distances between rows are taken."""
        return self._columns(self.positions)

    def _columns(self, own: FloatArray) -> FloatArray:
        if not self.unordered.any():
            return own
        parts = [own[:, ~self.unordered]]
        for j in np.flatnonzero(self.unordered):
            categories = np.unique(self.positions[:, j])
            parts.append((np.abs(own[:, j, None] - categories) <= SAME) / math.sqrt(2.0))
        return np.hstack(parts)

    @cached_property
    def _by_bytes(self) -> dict[bytes, int]:
        return {row.tobytes(): number for number, row in enumerate(np.ascontiguousarray(self.positions))}

    @cached_property
    def _tree(self) -> cKDTree:
        # Takes longer to load than all else here.
        from scipy.spatial import cKDTree

        return cKDTree(self.columns)
