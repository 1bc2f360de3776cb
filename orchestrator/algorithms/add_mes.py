"""Add-MES: max-value entropy search over an additive function (Wang & Jegelka 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from orchestrator.acquisition.max_value_entropy import MaxValueEntropy, gumbel_maxima
from orchestrator.algorithms.additive_algorithm import AdditiveAlgorithm, Climbed
from orchestrator.algorithms.additive_belief import Belief
from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.factor_functions import FactorFunctions, mixed
from orchestrator.algorithms.group_options import GroupOptions
from orchestrator.algorithms.structure_search import StructureSearch
from orchestrator.maximisers.factor_objective import LocalObjective
from orchestrator.maximisers.multistart import Effort, anything, maximise
from orchestrator.surrogates.exact import PosteriorGradients

FloatArray = NDArray[np.float64]

GRID = 500
MULTISTART = Effort(samples=150, starts=8, iterations=30, polished=3, moves=8)
WITHOUT_MEANING = ("beta", "failure", "beta_dimension", "exploration")


class AddMesOptions(GroupOptions):
    """Options of ``add-mes``, and those of `GroupOptions` but for the schedule of beta, of which it has none.

    ``maxima``: draws of each group's highest value.
    """

    maxima: int = Field(10, ge=1, le=1000)

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        found = super().check(problem)
        for name in sorted(self.model_fields_set.intersection(WITHOUT_MEANING)):
            found.append(f"`{name}` belongs to algorithms with upper confidence bounds; leave it out")
        return found


class AddMes(AdditiveAlgorithm):
    """As Add-GP-UCB, but each group goes where a value would tell most about that group's highest value.

    Source: Wang & Jegelka 2017, section 4 and Algorithm 1, Add-MES-G: maxima drawn from a Gumbel that matches
    independent values at 500 random points of the group.

    Deviations: the structure is the best of D random groupings by evidence, mended by exchanges (as in
    ``add-gp-ucb``), which the paper leaves open. Add-MES-R, with maxima of functions drawn in random
    features, is not here. Groups are maximised by gradient ascent. The start design is a Sobol sequence,
    and hyperparameters are maximum a posteriori. A point at which the total is known too well to be the
    best is passed over for one elsewhere; as the gain is in information alone, exploration has no weight
    that could be raised there, as ``add-gp-ucb`` does. A failed evaluation counts as an average result.
    Points that still run are believed to come out as predicted. A point is not suggested twice.
    """

    name: ClassVar[str] = "add-mes"
    Options: ClassVar[type[Options]] = AddMesOptions

    def __init__(self, problem: Problem, options: AddMesOptions) -> None:
        super().__init__(problem, options)
        self._options = options

    @property
    def _structures(self) -> StructureSearch:
        return self._options.structures(self._problem)

    def _acquisition(self, belief: Belief, t: int) -> FactorFunctions:
        """Each group's mean and deviation."""
        del t
        return mixed(belief.hypotheses, lambda graph: np.ones(graph.size), coupled=False)

    def _maximise(
        self, acquisition: FactorFunctions, incumbents: FloatArray, rng: np.random.Generator
    ) -> Climbed:
        point = self._problem.domain.sample(1, rng)[0]
        gains = []
        for group, own in zip(acquisition.factors, acquisition.graph.indices, strict=True):
            posterior = _GroupPosterior(group)
            grid = np.vstack([group.domain.sample(GRID, rng), incumbents[:, own]])
            mean, variance = posterior.mean_and_variance(grid)
            maxima = gumbel_maxima(mean, np.sqrt(variance), self._options.maxima, rng)
            gain = MaxValueEntropy(posterior, maxima)
            found = maximise(gain, group.domain, incumbents[:, own], anything, rng, MULTISTART)
            assert found is not None
            point[own] = found.point
            gains.append((gain, own))

        def total(X: FloatArray) -> FloatArray:
            return np.asarray(np.sum([gain.values(X[:, own]) for gain, own in gains], axis=0))

        return Climbed(point, {"exploration": 1.0}, total)


@dataclass(frozen=True, eq=False)
class _GroupPosterior:
    """One group's factor as a `Posterior` of its own coordinates. It has no use for a deviation's weight."""

    factor: LocalObjective

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.factor.parts(X)

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        at = self.factor.parts_and_gradients(X)
        return PosteriorGradients(at.plain, at.shared, at.plain_gradient, at.shared_gradient)
