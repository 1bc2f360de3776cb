"""DIRECT: dividing rectangles, a tree search without a model (Jones, Perttunen & Stuckman 1993)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from pydantic import Field

from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.trees.tree_search import Rule, TreeSearch
from orchestrator.maximisers.trees.tree import ROOT, LongestSides


class DirectOptions(Options):
    """Options of ``direct``. ``epsilon``: the least improvement hoped for, as a part of the distance
    between the median and the best value; more searches more widely.
    """

    epsilon: float = Field(1e-4, ge=0.0, le=0.1)


@dataclass(frozen=True, slots=True)
class Candidate:
    """The best leaf of one size: its number, half its diagonal, and its value."""

    node: int
    size: float
    value: float


class DirectSearch(TreeSearch):
    """Every leaf that could hold the best point, for some rate at which the function may change, is cut in
    three.

    Source: Jones, Perttunen & Stuckman 1993, section 5; of the leaves of one size only one is cut, after
    Gablonsky & Kelley 2001, and across one longest side, after Jones 2001.

    Deviations: sides are cut one at a time, on the same tree as the other searches, which evaluates no
    point that is not needed. The least improvement is relative to the spread of the values, not to the
    best, so that adding a number to the function changes nothing. Discrete coordinates are cut into runs of
    positions, a single one of which has no length. Equal sides are cut in an order drawn from the seed. A
    batch takes all points of an iteration; where more workers are free, the children that the best leaves
    would have. A failed evaluation counts as the worst value so far. Values are taken for exact.
    """

    name: ClassVar[str] = "direct"
    Options: ClassVar[type[Options]] = DirectOptions

    def __init__(self, problem: Problem, options: DirectOptions) -> None:
        super().__init__(problem, LongestSides(3))
        self._epsilon = options.epsilon
        self._best_of_size: dict[float, dict[int, float]] = {}
        self._advance()

    def _rule(self) -> Rule:
        yield from self._evaluate([ROOT])
        self._file([ROOT])
        while chosen := potentially_optimal(self._candidates(), self._least_value()):
            children: list[int] = []
            for candidate in chosen:
                del self._best_of_size[candidate.size][candidate.node]
                children += self._tree.expand(candidate.node, self._partition)
            yield from self._evaluate(children)
            self._file(children)

    def _file(self, leaves: list[int]) -> None:
        """Leaves that can be cut, by their size."""
        for i in leaves:
            node = self._tree.nodes[i]
            size = round(0.5 * float(np.linalg.norm(node.cell.lengths(self._tree.domain))), 12)
            if size > 0:
                self._best_of_size.setdefault(size, {})[i] = self._value(i)

    def _candidates(self) -> list[Candidate]:
        """The best of each size, the smallest first."""
        found = []
        for size in sorted(self._best_of_size):
            leaves: Mapping[int, float] = self._best_of_size[size]
            if leaves:
                best = max(leaves, key=lambda i: (leaves[i], -i))
                found.append(Candidate(best, size, self._counted(leaves[best])))
        return found

    def _counted(self, value: float) -> float:
        """The value as it counts now: that of a failed evaluation is the worst told so far."""
        return max(value, self._worst) if math.isfinite(self._worst) else 0.0

    def _least_value(self) -> float:
        """What a leaf must be able to reach."""
        values = [self._counted(node.value) for node in self._tree.nodes if node.value is not None]
        best, median = max(values), float(np.median(values))
        return best + self._epsilon * (best - median)


def potentially_optimal(candidates: list[Candidate], least_value: float) -> list[Candidate]:
    """Those whose value + K size is the highest of all, and at least ``least_value``, for some K >= 0.

    Definition 4.1 of Jones et al. 1993, for maximisation. ``candidates`` are in the order of their sizes.
    """
    chosen = []
    for j, candidate in enumerate(candidates):
        slopes_below = [(c.value - candidate.value) / (candidate.size - c.size) for c in candidates[:j]]
        slopes_above = [(candidate.value - c.value) / (c.size - candidate.size) for c in candidates[j + 1 :]]
        slowest = max([0.0, *slopes_below])
        fastest = min(slopes_above, default=np.inf)
        if fastest < slowest:
            continue
        if np.isinf(fastest) or candidate.value + fastest * candidate.size >= least_value:
            chosen.append(candidate)
    return chosen
