"""BOO: Bayesian optimistic optimisation (Tran-The, Gupta, Rana & Venkatesh 2021)."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from pydantic import Field

from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.gaussian_process.options import GpOptions
from orchestrator.algorithms.trees.model_tree_search import ModelTreeSearch
from orchestrator.algorithms.trees.tree_search import Rule
from orchestrator.maximisers.trees.optimistic_sweep import OptimisticSweep
from orchestrator.maximisers.trees.tree import LongestSides
from orchestrator.surrogates.covariances.kernel_families import LARGEST_NU, RBF, KernelFamily
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate

MOST_CHILDREN = 1024
USUAL_SIDES = 6


class BooOptions(GpOptions):
    """Options of ``boo``, and those of `GpOptions`.

    ``parts`` and ``sides`` are a and b of P(m; a, b): each cell's b longest sides are cut into a parts, which
    makes m = a^b children, at most 1,024. Left out, b is all sides of up to 6 parameters, and a is what
    Corollary 1 says of the budget: floor((sqrt(N) / 2)^(1/b)), at least 2. ``eta``: the probability that the
    bound does not hold. ``length_scales``: one for all parameters, as in the paper, or one for ``each``.
    """

    parts: int | None = Field(None, ge=2)
    sides: int | Literal["all"] | None = Field(None)
    eta: float = Field(0.05, gt=0.0, lt=1.0)
    length_scales: Literal["shared", "each"] = "shared"

    def partition(self, problem: Problem) -> LongestSides:
        """P(m; a, b) for a problem."""
        D = problem.domain.dimension
        b = D if self.sides == "all" else self.sides or min(D, USUAL_SIDES)
        if self.parts is not None:
            return LongestSides(self.parts, b)
        budget = problem.trials or 0
        # What is a whole number but for rounding is one: 64 ** (1 / 3) is less than 4.
        a = max(2, math.floor((0.5 * math.sqrt(budget)) ** (1.0 / b) + 1e-9))
        return LongestSides(min(a, math.floor(MOST_CHILDREN ** (1.0 / b))) if b <= USUAL_SIDES else 2, b)

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        D = problem.domain.dimension
        if isinstance(self.sides, int) and not 1 <= self.sides <= D:
            return [f"expected sides (b) from 1 to {D}, the number of parameters, got {self.sides}"]
        partition = self.partition(problem)
        if partition.children > MOST_CHILDREN:
            a, b = partition.parts, partition.sides
            fewer = f"set `sides` to {int(math.log(MOST_CHILDREN, a))} or less"
            if a > MOST_CHILDREN:
                fewer = f"set `parts` to {MOST_CHILDREN:,} or less and `sides` to 1"
            return [
                f"with {D} parameters, a = {a} and b = {b} every cell would be cut into {a}^{b} children; "
                f"expected at most {MOST_CHILDREN:,}: {fewer}, or use dumbo or turbo"
            ]
        return []


class Boo(ModelTreeSearch):
    """At each depth in turn the leaf of highest upper bound is cut and its centre evaluated, if its bound
    is not below the values found further up.

    Source: Tran-The et al. 2021, Algorithm 1: Matern nu = 4 + (D + 1) / 2,
    beta_p = 2 log(pi^2 p^3 / (3 eta)), h_max(p) = sqrt(p).

    Deviations: the start design is a Sobol sequence. Hyperparameters are maximum a posteriori, refitted as
    results come; the next leaf is chosen as a result is told, before the refit that it leads to.
    Hyperparameters see 400 results at most, the model 1,000. Values are standardised, and warped where tails
    are heavy, which leaves their order as it is. In more than six dimensions only six sides are cut, unless
    asked for otherwise: b = D makes 2^D children. Of equal sides those are cut that come first in an order
    drawn from the seed. A side is not cut below a millionth of its range. A centre that was told, as that of
    a middle part is, is not evaluated again: its cell is cut at once. Beyond 991 dimensions the kernel is the
    RBF, to which Matern's tends. A sweep of which every leaf lies too deep goes on to the shallowest (see
    `OptimisticSweep`). A batch or an asynchronous worker gets the leaf of highest bound, points that run
    counting as done at their predicted values. Where values are noisy, which they are not in the paper, the
    model knows of it, and the tree takes them as they come. A failed evaluation counts as an average result
    to the model and as the worst in the tree.
    """

    name: ClassVar[str] = "boo"
    Options: ClassVar[type[Options]] = BooOptions

    def __init__(self, problem: Problem, options: BooOptions) -> None:
        D = problem.domain.dimension
        nu = 4.0 + (D + 1) / 2.0
        family = KernelFamily(nu) if nu <= LARGEST_NU else RBF
        template = KernelTemplate(family.name, family, shared=options.length_scales == "shared")
        super().__init__(problem, options, options.partition(problem), template)
        self._eta = options.eta
        self._sweep = OptimisticSweep(self._tree, self._partition)

    @property
    def _beta(self) -> float:
        p = self._sweep.expansions
        return 2.0 * math.log(math.pi**2 * p**3 / (3.0 * self._eta))

    def _rule(self) -> Rule:
        sweep = self._sweep
        while (step := sweep.next(self._upper)) is not None:  # lines 3-6
            yield from self._evaluate([step.node])  # line 7
            sweep.observe(step, self._value(step.node))  # line 10
