"""The order in which an optimistic tree is expanded: sweeps over depths with a rising threshold.

Alg. 1 of Tran-The et al. 2021 (BOO), of which Algs. 2-3 (SOO, BaMSOO) differ in what a leaf's score is and
what the threshold becomes. One step at a time, so that evaluations may take as long as they like:

    sweep = OptimisticSweep(tree, LongestSides(a, b))
    step = sweep.next(score)               # lines 3-6: a leaf is chosen and has its children
    ...                                    # evaluate its centre (BOO), or the children's (SOO)
    sweep.observe(step, value)             # line 10

Notation: T_p the tree after p - 1 expansions, h depth, v_max the threshold, U a leaf's score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.trees.tree import LongestSides, Tree

Score = Callable[[Sequence[int]], FloatArray]
"""(k,) scores of k leaves of one depth, known by number; minus infinity keeps a leaf out."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """A leaf that was chosen and expanded: its number, its ``score`` then, its children, and the sweep's."""

    node: int
    score: float
    children: tuple[int, ...]
    sweep: int


class OptimisticSweep:
    """Alg. 1 as a state machine. ``depth_limit`` is h_max(p).

    Deviations: the loop's bound min(depth(T_p), h_max(p)) is taken when a sweep starts. Where every leaf lies
    deeper than it (m = 2 fills all depths up to h_max(p) at p = 8), the paper's loop would spin for ever;
    here such a sweep reaches as deep as the shallowest leaf that may be chosen.
    """

    def __init__(
        self, tree: Tree, partition: LongestSides, depth_limit: Callable[[int], float] = math.sqrt
    ) -> None:
        self.tree = tree
        self.partition = partition
        self.expansions = 1
        self.threshold = -math.inf
        self._depth_limit = depth_limit
        self._sweep = 0
        self._h = 0
        self._last = -1

    def next(self, score: Score) -> Expansion | None:
        """Choose the next leaf, expand it and count it; None if no leaf may be chosen now."""
        swept_in_vain = False
        while True:
            if self._h > self._last:
                if swept_in_vain:
                    return self._beyond_the_limit(score)
                swept_in_vain = True
                self._begin_sweep()
            depth, self._h = self._h, self._h + 1
            step = self._try(depth, score)
            if step is not None:
                return step

    def observe(self, step: Expansion, value: float) -> None:
        """v_max = max(value, v_max), line 10, if the sweep of that step still goes on.

        BOO brings the centre's value; SOO and BaMSOO the step's own score.
        """
        if step.sweep == self._sweep:
            self.threshold = max(self.threshold, value)

    def _begin_sweep(self) -> None:
        self._sweep += 1
        self.threshold = -math.inf
        self._h = 0
        limit = self._depth_limit(self.expansions)
        self._last = self.tree.depth if limit >= self.tree.depth else math.floor(limit)

    def _try(self, depth: int, score: Score) -> Expansion | None:
        leaves = self.tree.leaves(depth)
        if not leaves:
            return None
        scores = score(leaves)
        best = int(np.argmax(scores))
        if scores[best] == -np.inf or scores[best] < self.threshold:
            return None
        children = self.tree.expand(leaves[best], self.partition)
        self.expansions += 1
        return Expansion(leaves[best], float(scores[best]), children, self._sweep)

    def _beyond_the_limit(self, score: Score) -> Expansion | None:
        for depth in range(self._last + 1, self.tree.depth + 1):
            step = self._try(depth, score)
            if step is not None:
                self._h, self._last = depth + 1, depth
                return step
        return None
