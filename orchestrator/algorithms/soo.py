"""SOO: simultaneous optimistic optimisation, a tree search without a model (Munos 2011)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.trees.tree_search import Rule, TreeSearch
from orchestrator.maximisers.trees.optimistic_sweep import OptimisticSweep
from orchestrator.maximisers.trees.tree import ROOT, LongestSides


class SooOptions(Options):
    """Options of ``soo``. ``parts``: how many cells one is cut into, across its longest side."""

    parts: int = Field(3, ge=2, le=100)


class Soo(TreeSearch):
    """At each depth in turn the leaf of highest value is cut, if none above it had a higher one.

    Source: Munos 2011, as Algorithm 2 of Tran-The et al. 2021, with h_max(p) = sqrt(p).

    Deviations: three parts by default, of which the middle one's value is known already, where Tran-The et
    al. cut in two: that is ``parts: 2``. No initial points are drawn, as nothing would be learned from
    them. Equal sides are cut in an order drawn from the seed. A batch takes all children of a cell; where
    more workers are free, the children that the best leaves would have. A failed evaluation counts as worse
    than any value. Values are taken for exact: under noise the search is led astray.
    """

    name: ClassVar[str] = "soo"
    Options: ClassVar[type[Options]] = SooOptions

    def __init__(self, problem: Problem, options: SooOptions) -> None:
        super().__init__(problem, LongestSides(options.parts))
        self._advance()

    def _rule(self) -> Rule:
        tree = self._tree
        yield from self._evaluate([ROOT])
        sweep = OptimisticSweep(tree, self._partition)
        while (step := sweep.next(tree.values)) is not None:  # lines 3-6
            yield from self._evaluate(step.children)  # line 7
            sweep.observe(step, step.score)  # line 8
