"""REMBO: Bayesian optimisation in a random embedding (Wang, Zoghi, Hutter, Matheson & de Freitas 2013)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar

import numpy as np
from pydantic import Field

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.algorithms.ask_and_tell.start_design import OF_DESIGN, StartDesign
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Options, Problem, Suggestion
from orchestrator.algorithms.exclusion import untried
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.model_based import INCUMBENTS, ModelBased
from orchestrator.algorithms.gaussian_process.options import KernelName, KernelOptions
from orchestrator.algorithms.gaussian_process.subspace import Subspace
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.domain import Domain

USUAL_DIMENSION = 6


class RemboOptions(KernelOptions):
    """Options of ``rembo``, and those of `KernelOptions`.

    ``embedding_dimension``: d, at least the number of directions that matter; 6 at most, if left out.
    ``embeddings``: how many random ones take turns; one alone misses the optimum with some probability.
    """

    holds_parameters: ClassVar[bool] = True
    kernel: KernelName = "matern-5/2"
    embedding_dimension: int | None = Field(None, ge=1)
    embeddings: int = Field(1, ge=1, le=100)

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        D = problem.domain.dimension
        if self.embedding_dimension is not None and self.embedding_dimension > D:
            return [
                f"expected an embedding_dimension of at most {D}, the number of parameters, got "
                f"{self.embedding_dimension}"
            ]
        return []


class Rembo(ModelBased):
    """Only x = clip(A y) is searched, with A (D, d) standard normal and y in a box of half-width sqrt(d).

    Source: Wang et al. 2013, Algorithm 2 (their cube is [-1, 1]^D, with its middle at y = 0).

    Deviations: the kernel is the one on x (their k_X), not on y: it sees which y are clipped to the same x,
    serves discrete parameters, and learns from results found elsewhere; its length-scale is shared, as the
    embedding mixes the parameters. Log EI and maximum a posteriori hyperparameters. Embeddings that take
    turns share one model. The start design is a Sobol sequence of y. Values with a heavy tail are warped
    where that has more evidence. A failed evaluation counts as an average result. A point is not suggested
    twice.
    """

    name: ClassVar[str] = "rembo"
    Options: ClassVar[type[Options]] = RemboOptions

    def __init__(self, problem: Problem, options: RemboOptions) -> None:
        super().__init__(problem, options, Likeliest((options.template,)))
        D = problem.domain.dimension
        d = min(options.embedding_dimension or USUAL_DIMENSION, D)
        self._subspaces = [
            Subspace(
                problem.domain,
                np.full(D, 0.5),
                0.5 * math.sqrt(d) * stream(problem.seed, "rembo embedding", k).standard_normal((d, D)),
            )
            for k in range(options.embeddings)
        ]
        self._embedded_design = StartDesign(Domain.continuous(d), problem.seed)

    def _acquisition(self, posterior: ExactGP, turn: Turn) -> LogExpectedImprovement:
        return self._improvement(posterior, turn)

    def _search(self, objective: Embedded, turn: Turn) -> FloatArray | None:
        incumbents = self._best(turn, INCUMBENTS)
        subspace = self._subspace(turn)
        return subspace.maximise(objective, incumbents, turn.exclusion.allows, turn.rng)

    def _begin(self, turn: Turn) -> Suggestion:
        """The start design of the embedding."""
        y = self._embedded_design.point(turn.trial)
        point = self._subspace(turn).points(y[None, :])[0]
        if not turn.exclusion.allows(point[None, :])[0]:
            point = untried(turn.domain, turn.exclusion, turn.rng)
        return Suggestion(point, why={"source": OF_DESIGN})

    def _subspace(self, turn: Turn) -> Subspace:
        return replace(self._subspaces[turn.trial % len(self._subspaces)], domain=turn.domain)
