"""IMGPO: infinite-metric GP optimisation, a tree search with a model (Kawaguchi et al. 2015)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.gaussian_process.options import KernelName, KernelOptions
from orchestrator.algorithms.trees.model_tree_search import ModelTreeSearch
from orchestrator.algorithms.trees.tree_search import Rule
from orchestrator.maximisers.trees.tree import ROOT, Cell, LongestSides

# Rounds without an evaluation, after which one is made in any case.
MOST_UNEVALUATED = 50
# The look ahead grows by the first after a round that found a better value, and shrinks by the second after
# any other (line 39).
GAIN, LOSS = 4.0, 0.5


class ImgpoOptions(KernelOptions):
    """Options of ``imgpo``, and those of `KernelOptions`.

    ``look_ahead``: Xi_max, the most levels below a cell at which the model is asked what it could hold.
    ``eta``: the probability that the bounds do not hold.
    """

    kernel: KernelName = "matern-5/2"
    look_ahead: int = Field(4, ge=1, le=6)
    eta: float = Field(0.05, gt=0.0, lt=1.0)


class Imgpo(ModelTreeSearch):
    """Leaves are cut in three, at every depth that promises more than those above; children ruled out by
    the model carry their upper bound, and are evaluated when they come to lead at their depth.

    Source: Kawaguchi, Kaelbling & Lozano-Pérez 2015, Algorithm 1, with
    beta = 2 log(pi^2 M^2 / (12 eta)) after M bounds.

    Deviations: equal sides are cut in an order drawn from the seed. The start design is a Sobol sequence, and
    the best value is that of all points told, where the paper's is the tree's; hyperparameters are maximum a
    posteriori, refitted as results come. M counts bounds that decide something. After 50 rounds without an
    evaluation the leaf of highest bound is evaluated. A batch or an asynchronous worker gets the cell of
    highest bound, points that run counting as done at their predicted values. Values with a heavy tail are
    warped where that has more evidence. A failed evaluation counts as an average result to the model and as
    the worst in the tree.
    """

    name: ClassVar[str] = "imgpo"
    Options: ClassVar[type[Options]] = ImgpoOptions

    def __init__(self, problem: Problem, options: ImgpoOptions) -> None:
        super().__init__(problem, options, LongestSides(3), options.template)
        self._eta = options.eta
        self._look_ahead = options.look_ahead
        self._decisions = 1
        self._optimistic: set[int] = set()
        self._evaluations = 0

    @property
    def _beta(self) -> float:
        return 2.0 * max(0.0, math.log(math.pi**2 * self._decisions**2 / (12.0 * self._eta)))

    def _rule(self) -> Rule:
        tree = self._tree
        yield from self._evaluate([ROOT])
        reach, idle = 1.0, 0
        while tree.leaves():
            evaluations, best = self._evaluations, self._best
            leaders: dict[int, int] = {}
            threshold = -math.inf
            for h in range(tree.depth + 1):  # lines 8-18
                while leaves := tree.leaves(h):
                    leader = leaves[int(tree.values(leaves).argmax())]
                    if self._g(leader) < threshold:
                        break
                    if leader not in self._optimistic:
                        leaders[h], threshold = leader, self._g(leader)
                        break
                    yield from self._evaluate([leader])
            self._drop_hopeless(leaders, min(math.floor(reach), self._look_ahead))
            threshold = -math.inf
            for h in sorted(leaders):  # lines 25-38
                leader = leaders[h]
                if self._g(leader) < threshold:
                    continue
                for child in tree.expand(leader, self._partition):
                    yield from self._open(child)
                    if child not in self._optimistic:
                        threshold = max(threshold, self._g(child))
            reach = reach + GAIN if self._best > best else max(reach - LOSS, 1.0)  # line 39
            idle = 0 if self._evaluations > evaluations else idle + 1
            if idle >= MOST_UNEVALUATED:
                idle = 0
                promising = [leaf for leaf in tree.leaves() if not self._is_told(leaf)]
                if promising:
                    yield from self._evaluate([promising[int(self._upper(promising).argmax())]])

    def _g(self, node: int) -> float:
        value = self._tree.nodes[node].value
        return -math.inf if value is None else value

    def _evaluate(self, nodes: Sequence[int]) -> Rule:
        """g = f. A centre that was told before, as a middle child's, costs nothing."""
        self._evaluations += sum(not self._is_told(node) for node in nodes)
        yield from super()._evaluate(nodes)
        self._optimistic.difference_update(nodes)

    def _open(self, child: int) -> Rule:
        """Lines 32-38: evaluated if it may be the best, else its bound stands in."""
        self._decisions += 1
        bound = float(self._upper([child])[0])
        if self._is_told(child) or bound >= self._best:
            yield from self._evaluate([child])
        else:
            self._tree.nodes[child].value = bound
            self._optimistic.add(child)

    def _drop_hopeless(self, leaders: dict[int, int], reach: int) -> None:
        """Lines 19-24: a leader below which the model sees nothing better than a deeper leader is let go."""
        for h in sorted(leaders):
            deeper = next((xi for xi in range(1, reach + 1) if h + xi in leaders), None)
            if deeper is None:
                continue
            cells: list[Cell] = [self._tree.nodes[leaders[h]].cell]
            for _ in range(deeper):
                cells = [part for cell in cells for part in self._partition.cut(cell, self._tree.domain)]
            self._decisions += len(cells)
            if not cells or self._bounds(self._points(cells)).max() < self._g(leaders[h + deeper]):
                del leaders[h]
