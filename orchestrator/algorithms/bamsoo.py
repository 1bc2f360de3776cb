"""BaMSOO: SOO that does not evaluate what a model rules out (Wang, Shakibi, Jin & de Freitas 2014)."""

from __future__ import annotations

import math
from typing import ClassVar

from pydantic import Field

from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.gaussian_process.options import KernelName, KernelOptions
from orchestrator.algorithms.trees.model_tree_search import ModelTreeSearch
from orchestrator.algorithms.trees.tree_search import Rule
from orchestrator.maximisers.trees.optimistic_sweep import OptimisticSweep
from orchestrator.maximisers.trees.tree import ROOT, LongestSides

MOST_UNEVALUATED = 100


class BamsooOptions(KernelOptions):
    """Options of ``bamsoo``, and those of `KernelOptions`.

    ``parts``: how many cells one is cut into, across its longest side. ``eta``: the probability that the
    bounds do not hold.
    """

    kernel: KernelName = "matern-5/2"
    parts: int = Field(3, ge=2, le=100)
    eta: float = Field(0.05, gt=0.0, lt=1.0)


class Bamsoo(ModelTreeSearch):
    """As SOO, but a child whose upper bound is below the best value carries its lower bound, unevaluated.

    Source: Wang et al. 2014, as Algorithm 3 of Tran-The et al. 2021, with h_max(p) = sqrt(p) and
    beta = 2 log(pi^2 p^2 / (6 eta)).

    Deviations: three parts by default (see `Soo`), of equal sides in an order drawn from the seed. p, which
    grows child by child in the paper, grows by all of a cell's as it is cut. The start design is a Sobol
    sequence, and the best value, f+, is that of all points told, where the paper's is the tree's.
    Hyperparameters are maximum a posteriori, refitted as results come, and bounds in the tree stay as they
    were. After 100 cuts without an evaluation the leaf of highest bound is evaluated, as a rule that asks for
    nothing would keep workers waiting. A batch or an asynchronous worker gets the cell of highest bound,
    points that run counting as done at their predicted values. Values with a heavy tail are warped where that
    has more evidence. A failed evaluation counts as an average result to the model and as the worst in the
    tree.
    """

    name: ClassVar[str] = "bamsoo"
    Options: ClassVar[type[Options]] = BamsooOptions

    def __init__(self, problem: Problem, options: BamsooOptions) -> None:
        super().__init__(problem, options, LongestSides(options.parts), options.template)
        self._eta = options.eta

    @property
    def _beta(self) -> float:
        return 2.0 * math.log(math.pi**2 * len(self._tree.nodes) ** 2 / (6.0 * self._eta))

    def _rule(self) -> Rule:
        tree = self._tree
        yield from self._evaluate([ROOT])
        # p counts nodes here, and between two sweeps the tree has as many as were looked at.
        sweep = OptimisticSweep(tree, self._partition, lambda _: math.sqrt(len(tree.nodes)))
        unevaluated = 0
        while (step := sweep.next(tree.values)) is not None:  # lines 3-5
            unevaluated += 1
            for child in step.children:  # lines 6-18
                if self._is_told(child):
                    tree.nodes[child].value = self._value(child)
                elif self._upper([child])[0] >= self._best:
                    yield from self._evaluate([child])
                    unevaluated = 0
                else:
                    tree.nodes[child].value = self._lower(child)
            sweep.observe(step, step.score)  # line 20
            if unevaluated >= MOST_UNEVALUATED:
                promising = [leaf for leaf in tree.leaves() if not self._is_told(leaf)]
                if promising:
                    yield from self._evaluate([promising[int(self._upper(promising).argmax())]])
                unevaluated = 0
