"""Cells that workers may evaluate before a tree search gets to them, the most promising first.

Notation: p cells.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.trees.tree import Cell, LongestSides, Tree

OfLeaves = Callable[[Sequence[int]], Sequence[float]]
"""p promises of leaves, known by number."""
OfCells = Callable[[Sequence[Cell], float], FloatArray]
"""(p,) promises of cells, given that of the one from which they are cut."""
Entry = tuple[float, int, int, Cell]
"""Minus the promise of a cell, its depth, its place in the order of arrival, and itself."""

MOST_LOOKED_AT = 500
LEADERS_AT_ONCE = 32


class CellsAhead:
    """Leaves of a tree, and what they would be cut into, for one batch, in which the tree stays as it is.

    From one point of a batch to the next more of them run, for which a promise may fall but never rise. So
    that of a leaf stands until it comes to lead, and only then is it asked for anew.
    """

    def __init__(self, tree: Tree, partition: LongestSides, of_leaves: OfLeaves, of_cells: OfCells) -> None:
        self._tree = tree
        self._partition = partition
        self._of_leaves = of_leaves
        self._of_cells = of_cells
        self._promises: list[float] = []

    def in_order(self) -> Iterator[tuple[Cell, int]]:
        """At most `MOST_LOOKED_AT` cells with their depths, for the next point of the batch."""
        nodes, leaves = self._tree.nodes, self._tree.leaves()
        outdated = set(range(len(self._promises)))
        if not self._promises:
            self._promises = list(self._of_leaves(leaves))
        queue = [(-self._promises[k], nodes[i].depth, k, nodes[i].cell) for k, i in enumerate(leaves)]
        heapq.heapify(queue)
        arrived, looked_at = len(queue), 0
        while queue and looked_at < MOST_LOOKED_AT:
            if leaders := _leading(queue, outdated):
                promises = self._of_leaves([leaves[k] for _, _, k, _ in leaders])
                for promise, (_, depth, k, cell) in zip(promises, leaders, strict=True):
                    self._promises[k] = promise
                    heapq.heappush(queue, (-promise, depth, k, cell))
                continue
            cost, depth, _, cell = heapq.heappop(queue)
            looked_at += 1
            yield cell, depth
            children = self._partition.cut(cell, self._tree.domain)
            for child, promise in zip(children, self._of_cells(children, -cost), strict=True):
                heapq.heappush(queue, (-float(promise), depth + 1, arrived, child))
                arrived += 1


def _leading(queue: list[Entry], outdated: set[int]) -> list[Entry]:
    """The first of the queue as long as their promises are outdated; they are taken out of both."""
    leaders: list[Entry] = []
    while queue and queue[0][2] in outdated and len(leaders) < LEADERS_AT_ONCE:
        leaders.append(heapq.heappop(queue))
        outdated.remove(leaders[-1][2])
    return leaders
