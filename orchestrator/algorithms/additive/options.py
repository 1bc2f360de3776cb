"""Options that the algorithms with additive surrogates share, and what makes no sense with a problem."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from orchestrator.acquisition.ucb import practical_beta
from orchestrator.algorithms.additive.known_factors import unusable
from orchestrator.algorithms.additive.scales import LengthScales, Outputs
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.gaussian_process.kernel_dictionary import FAMILIES
from orchestrator.algorithms.gaussian_process.options import DesignOptions, FamilyName
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph

MOST_LEARNED = 500
MOST_KNOWN = 2000


class AdditiveOptions(DesignOptions):
    """``kernel`` of every factor. ``length_scales``: one for each parameter, one shared by all (and then one
    variance is shared by all factors), or ``learned``, whichever has more evidence. ``outputs``: as they are,
    with heavy tails drawn in, or ``learned`` likewise.

    ``refit_every``: results told between refits, at most; with ``early_refits`` there are further ones
    whenever a fifth more have been told than at the last, or three or more that lie far from what was
    predicted, less and less often while that goes on. ``start_points`` is that of `DesignOptions`.

    ``beta``: the schedule of the exploration weight. ``practical`` is 0.2 d log 2t with d a factor's size, of
    which at most ``beta_dimension`` counts, and t the number of the evaluation to come, those of the start
    design and those that run among them; ``theoretical`` is the paper's, for which regret is bounded with
    probability 1 - ``failure``, by deviations that are not made smaller as ours are (see "Deviations" of each
    algorithm). ``exploration`` multiplies its root.
    """

    kernel: FamilyName = "matern-5/2"
    length_scales: LengthScales = "learned"
    outputs: Outputs = "learned"
    refit_every: int = Field(25, ge=1)
    early_refits: bool = True
    beta: Literal["practical", "theoretical"] = "practical"
    failure: float = Field(0.1, gt=0.0, lt=1.0)
    beta_dimension: int | None = Field(None, ge=1)
    exploration: float = Field(1.0, gt=0.0, le=10.0)

    takes_factors: ClassVar[bool] = True
    of_learning: ClassVar[tuple[str, ...]] = ()
    """Those that say how a structure is learned."""

    @property
    def family(self) -> KernelFamily:
        """The kernel's."""
        return FAMILIES[self.kernel]

    def betas(
        self, t: int, theoretical: Callable[[FactorGraph], FloatArray]
    ) -> Callable[[FactorGraph], FloatArray]:
        """(F,) beta of a graph at evaluation t, by the schedule chosen."""
        schedule = theoretical if self.beta == "theoretical" else partial(self._practical, t)
        return lambda graph: self.exploration**2 * schedule(graph)

    def _practical(self, t: int, graph: FactorGraph) -> FloatArray:
        most = self.beta_dimension or graph.dimension
        return np.array([practical_beta(t, min(len(factor), most)) for factor in graph.factors])

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        D = problem.domain.dimension
        if problem.factors is not None:
            return unusable(problem) or _too_many(D, MOST_KNOWN, "known factors")
        return _too_many(D, MOST_LEARNED, "a structure to be learned (known `factors` allow more)")

    def without_effect(self, problem: Problem) -> dict[str, str]:
        """See `Options.without_effect`."""
        given, found = self.model_fields_set, super().without_effect(problem)
        if problem.factors is not None:
            found |= {name: "the factors are known" for name in self.of_learning if name in given}
        if "failure" in given and self.beta != "theoretical":
            found["failure"] = "only `beta: theoretical` has it"
        if "beta_dimension" in given and self.beta == "theoretical":
            found["beta_dimension"] = "only `beta: practical` has it"
        return found


def _too_many(dimension: int, most: int, with_what: str) -> list[str]:
    if dimension <= most:
        return []
    return [f"expected at most {most} parameters with {with_what}, got {dimension}; use egp-ts or turbo"]
