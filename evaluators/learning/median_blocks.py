"""Blocks of neighbouring points: a tree that halves the data at the median of its widest coordinate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class MedianBlocks:
    """2^depth blocks, the smallest depth that leaves at most ``size`` points in a block without ties.

    Points with equal coordinates stay together, so that blocks may differ in size, or be empty.
    """

    def __init__(self, points: FloatArray, size: int) -> None:
        """``points``: (n, d), n > 0; ``size``: at least 1."""
        self.depth = int(np.ceil(np.log2(max(1.0, len(points) / size))))
        self.blocks = 2**self.depth
        self._feature = np.zeros(self.blocks - 1, dtype=np.intp)
        self._threshold = np.zeros(self.blocks - 1)
        members = [np.arange(len(points))]
        for node in range(self.blocks - 1):
            rows = members[node]
            low = rows[:0]
            if len(rows):
                spread = np.ptp(points[rows], axis=0)
                self._feature[node] = int(np.argmax(spread))
                values = points[rows, self._feature[node]]
                self._threshold[node] = float(np.median(values))
                low = rows[values <= self._threshold[node]]
                rows = rows[values > self._threshold[node]]
            members += [low, rows]

    def block_of(self, points: FloatArray) -> NDArray[np.intp]:
        """(n,) numbers of the blocks that (n, d) points lie in, 0 to blocks - 1."""
        node = np.zeros(len(points), dtype=np.intp)
        rows = np.arange(len(points))
        for _ in range(self.depth):
            beyond = points[rows, self._feature[node]] > self._threshold[node]
            node = 2 * node + 1 + beyond
        block: NDArray[np.intp] = node - (self.blocks - 1)
        return block
