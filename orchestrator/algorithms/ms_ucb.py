"""MS-UCB: the bound is maximised on a set of low-dimensional subspaces (Tran-The et al. 2020)."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from pydantic import Field

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.ucb import UpperConfidenceBound, practical_beta
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.model_based import ModelBased
from orchestrator.algorithms.gaussian_process.options import KernelOptions
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.ascent import ascend
from orchestrator.surrogates.posteriors.exact import ExactGP

USUAL_DIMENSION = 2
# Points looked at in each subspace; of those in all, the best, which climb; and the steps that each takes.
SCREENED = 40
CLIMBING = 24
ITERATIONS = 30
MOST_SUBSPACES = 200


class MsUcbOptions(KernelOptions):
    """Options of ``ms-ucb``, and those of `KernelOptions`.

    ``subspace_dimension``: d, the parameters that are maximised over; 2 at most, if left out. ``subspaces``
    and ``alpha``: N_0 t^alpha subspaces at evaluation t, at most 200; alpha = 0 is what Bardou et al. 2024
    compare with.
    """

    keeps_constraints: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    subspace_dimension: int | None = Field(None, ge=1)
    subspaces: int = Field(10, ge=1, le=MOST_SUBSPACES)
    alpha: float = Field(0.0, ge=0.0, le=2.0)

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        D = problem.domain.dimension
        if self.subspace_dimension is not None and self.subspace_dimension > D:
            return [
                f"expected a subspace_dimension of at most {D}, the number of parameters, got "
                f"{self.subspace_dimension}"
            ]
        return []


class MsUcb(ModelBased):
    """x = (y, z): N_t values of z are drawn, and for each the bound is maximised over the d parameters y.

    Source: Tran-The, Gupta, Rana & Venkatesh 2020, "Trading convergence rate with computational budget",
    which is reference 20 of Bardou et al. 2024 and what they call MS-UCB.

    Deviations: which parameters are y is drawn anew for each point, so that none is only ever drawn; a tenth
    of the values of z are those of the best points told, as random ones alone never come near in many
    dimensions. beta is 0.2 D log 2t. The start design is a Sobol sequence. Hyperparameters are maximum a
    posteriori. Values with a heavy tail are warped where that has more evidence. A failed evaluation counts
    as an average result. Points that still run are believed to come out as predicted. Where constraints do
    not hold, a point leaves its subspace for one near by where they do. A point is not suggested twice.
    """

    name: ClassVar[str] = "ms-ucb"
    Options: ClassVar[type[Options]] = MsUcbOptions

    def __init__(self, problem: Problem, options: MsUcbOptions) -> None:
        super().__init__(problem, options, Likeliest((options.template,)))
        self._options = options

    def _acquisition(self, posterior: ExactGP, turn: Turn) -> UpperConfidenceBound:
        beta = practical_beta(self._evaluation(turn), self._problem.domain.dimension)
        return UpperConfidenceBound(posterior, beta)

    def _search(self, objective: Embedded, turn: Turn) -> FloatArray | None:
        domain, rng = turn.domain, turn.rng
        D = domain.dimension
        free = np.flatnonzero(~domain.is_held)
        d = min(self._options.subspace_dimension or USUAL_DIMENSION, len(free))
        count = self._options.subspaces * self._evaluation(turn) ** self._options.alpha
        origins = domain.sample(math.ceil(min(count, MOST_SUBSPACES)), rng)
        known = self._best(turn, math.ceil(len(origins) / 10))
        origins[: len(known)] = known
        varied = np.zeros(D, dtype=bool)
        varied[rng.choice(free, size=d, replace=False)] = True
        # All subspaces at once: the same parameters vary in each, about other values of the rest.
        screened = np.repeat(origins, SCREENED, axis=0)
        screened[:, varied] = domain.sample(len(screened), rng)[:, varied]
        screened[: len(known)] = known
        if domain.ties is not None:
            screened = domain.snap(screened)
        scores = objective.values(screened)
        best = np.argsort(-scores, kind="stable")[:CLIMBING]
        climbed, reached = ascend(objective, screened[best], varied & domain.is_continuous, ITERATIONS)
        if domain.is_whole.any() or domain.ties is not None:
            climbed = domain.snap(climbed)
            reached = objective.values(climbed)
        points = np.vstack([climbed, screened])
        values = np.concatenate([reached, scores])
        for i in np.argsort(-values, kind="stable"):
            if turn.exclusion.allows(points[i : i + 1])[0]:
                return np.asarray(points[i])
        return None
