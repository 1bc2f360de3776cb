"""The rows to begin with, where points have a row of a list: spread over the rows, wherever these lie.

The first is the row nearest to the medians of all; of those after it each is, of some drawn at random, the
one farthest from the rows before it. Of all rows the farthest would mostly be the odd ones at the edges.

Source: Mitchell 1991, the best of some candidates.

Notation: R rows, E columns.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.rows import Rows

CANDIDATES = 32


class RowDesign:
    """The order of rows that a seed makes; as much of it is known as was asked for."""

    def __init__(self, rows: Rows, seed: int) -> None:
        self._rows = rows
        self._rng = stream(seed, "start design among rows")
        self._order: list[int] = []
        self._left: IndexArray = np.arange(len(rows))
        self._apart: FloatArray = np.full(len(rows), np.inf)

    def numbers(self, count: int) -> IndexArray:
        """(count,) of rows, each once until all of them came."""
        while len(self._order) < min(count, len(self._rows)):
            self._take(self._first() if not self._order else self._next())
        return np.array([self._order[i % len(self._order)] for i in range(count)], dtype=np.intp)

    def _first(self) -> int:
        columns = self._rows.columns
        return int(np.square(columns - np.median(columns, axis=0)).sum(axis=1).argmin())

    def _next(self) -> int:
        drawn = self._left[self._rng.integers(len(self._left), size=CANDIDATES)]
        return int(drawn[self._apart[drawn].argmax()])

    def _take(self, number: int) -> None:
        columns = self._rows.columns
        apart = np.square(columns - columns[number]).sum(axis=1)
        self._apart = np.minimum(self._apart, apart)
        self._order.append(number)
        self._left = self._left[self._left != number]
