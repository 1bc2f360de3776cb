"""The best so many results among all that were told, those of crowded places left out first.

Notation: D coordinates, M objectives, C slacks, n members.
"""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.evolution.crowding import crowding_distances
from orchestrator.algorithms.evolution.front_ranks import dominating, front_ranks
from orchestrator.algorithms.violations import violations
from orchestrator.arrays import FloatArray, IndexArray


class Survivors:
    """At most ``most`` members: their (n, D) ``points``, (n, M) ``values``, and (n, C) slacks; of each the
    ``ranks``, how many fronts are better, and ``crowding``.
    """

    def __init__(self, most: int, dimension: int, objectives: int, constraints: int) -> None:
        self._most = most
        self.points: FloatArray = np.empty((0, dimension))
        self.values: FloatArray = np.empty((0, objectives))
        self._slacks: FloatArray = np.empty((0, constraints))
        self.ranks: IndexArray = np.empty(0, dtype=np.intp)
        self.crowding: FloatArray = np.empty(0)

    def __len__(self) -> int:
        return len(self.points)

    def tell(self, point: FloatArray, values: FloatArray, slacks: FloatArray) -> None:
        """One more result, (D,), (M,) finite, and (C,); the worst member is left out for it, where they are
        too many. O(n^2 M).
        """
        self.points = np.vstack([self.points, point])
        self.values = np.vstack([self.values, values])
        self._slacks = np.vstack([self._slacks, slacks])
        self._judge()
        if len(self) > self._most:
            worst = np.lexsort((-self.crowding, self.ranks))[-1]
            self.points, self.values = (np.delete(rows, worst, 0) for rows in (self.points, self.values))
            self._slacks = np.delete(self._slacks, worst, 0)
            # It was of the last front, which no other hangs on.
            last = self.ranks[worst]
            self.ranks, self.crowding = np.delete(self.ranks, worst), np.delete(self.crowding, worst)
            self._space(int(last))

    def better(self, one: int, other: int) -> bool:
        """Whether the first of two members is of a better front, or of the same and less crowded."""
        if self.ranks[one] != self.ranks[other]:
            return bool(self.ranks[one] < self.ranks[other])
        return bool(self.crowding[one] > self.crowding[other])

    def _judge(self) -> None:
        self.ranks = front_ranks(dominating(self.values, violations(self._slacks)))
        self.crowding = np.zeros(len(self))
        for rank in range(int(self.ranks.max(initial=-1)) + 1):
            self._space(rank)

    def _space(self, rank: int) -> None:
        front = np.flatnonzero(self.ranks == rank)
        self.crowding[front] = crowding_distances(self.values[front])
