"""Add-MES: max-value entropy search over an additive function (Wang & Jegelka 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from orchestrator.acquisition.max_value_entropy import MaxValueEntropy, gumbel_maxima, plausible
from orchestrator.algorithms.additive.algorithm import Climbed
from orchestrator.algorithms.additive.belief import Belief
from orchestrator.algorithms.additive.factor_draws import DrawnFactor
from orchestrator.algorithms.additive.factor_functions import FactorFunctions, mixed
from orchestrator.algorithms.additive.group_algorithm import GroupAlgorithm, climbed
from orchestrator.algorithms.additive.group_options import GroupOptions
from orchestrator.algorithms.base import Options, Problem
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.maximisers.climbs.drawn_maxima import maxima
from orchestrator.maximisers.factors.factor_objective import LocalObjective
from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor
from orchestrator.surrogates.posteriors.moments import PosteriorGradients
from orchestrator.unit_cube.domain import Domain

GRID = 500
# By how many a function drawn of a group is expressed.
FREQUENCIES = 256
WITHOUT_MEANING = ("beta", "failure", "beta_dimension", "exploration")


class AddMesOptions(GroupOptions):
    """Options of ``add-mes``, and those of `GroupOptions` but for the schedule of beta, of which it has none.

    ``maxima``: draws of each group's highest value. ``maxima_of``: what they are the highest values of,
    ``independent-values`` (Add-MES-G) or ``functions`` drawn from the posterior (Add-MES-R).
    """

    maxima: int = Field(10, ge=1, le=1000)
    maxima_of: Literal["independent-values", "functions"] = "independent-values"

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        found = super().check(problem)
        for name in sorted(self.model_fields_set.intersection(WITHOUT_MEANING)):
            found.append(f"`{name}` belongs to algorithms with upper confidence bounds; leave it out")
        return found


class AddMes(GroupAlgorithm[AddMesOptions]):
    """As Add-GP-UCB, but each group goes where a value would tell most about that group's highest value.

    Source: Wang & Jegelka 2017, section 4 and Algorithm 1. Add-MES-G: maxima drawn from a Gumbel that matches
    independent values at 500 random points of the group. Add-MES-R: those of functions drawn from the group's
    posterior, climbed by gradients from the best of 500 random points and from the best ones told.

    Deviations: the structure is the best of D random groupings by evidence, mended by exchanges (as in
    ``add-gp-ucb``), which the paper leaves open. Drawn functions have only their priors in random features;
    what the data say is exact. Groups are maximised by gradient ascent. The start design is a Sobol sequence,
    and hyperparameters are maximum a posteriori. A point at which the total is known too well to be the best
    is passed over for one elsewhere; as the gain is in information alone, exploration has no weight that
    could be raised there, as ``add-gp-ucb`` does. Values with a heavy tail are warped where that has more
    evidence. Of a group's deviation only what may change from the best point told counts, as in
    ``add-gp-ucb``. A failed evaluation counts as an average result. Points that still run are believed to
    come out as predicted. Where parameters are tied to one another by constraints, the sum of the groups'
    gains is maximised over all of them at once. A point is not suggested twice.
    """

    name: ClassVar[str] = "add-mes"
    Options: ClassVar[type[Options]] = AddMesOptions

    def _acquisition(self, belief: Belief, t: int) -> FactorFunctions:
        """Each group's mean and deviation."""
        del t
        return mixed(belief.hypotheses, lambda graph: np.ones(graph.size), coupled=False)

    def _maximise(
        self, acquisition: FactorFunctions, incumbents: FloatArray, rng: np.random.Generator
    ) -> Climbed:
        factors, groups = acquisition.factors, acquisition.graph.indices
        domain = self._searched(acquisition)
        domains = [domain.alone(own) for own in groups]
        gains = [
            self._gain(group, its, incumbents[:, own], rng)
            for group, its, own in zip(factors, domains, groups, strict=True)
        ]
        total = _Total(gains, groups)

        def alone(j: int) -> FloatArray:
            return climbed(gains[j], domains[j], incumbents[:, groups[j]], rng)

        point = self._put_together(total, groups, alone, domain, incumbents, rng)
        return Climbed(point, {"exploration": 1.0}, total.values)

    def _gain(
        self, group: GaussianFactor, domain: Domain, best: FloatArray, rng: np.random.Generator
    ) -> MaxValueEntropy:
        """What a value would tell about a group's highest value in its domain; ``best`` as in `_drawn`."""
        return MaxValueEntropy(_GroupPosterior(group), self._drawn(group, domain, best, rng))

    def _drawn(
        self, group: GaussianFactor, domain: Domain, best: FloatArray, rng: np.random.Generator
    ) -> FloatArray:
        """(K,) draws of a group's highest value; ``best`` (k, d) are its coordinates of the best points."""
        count, posterior = self._options.maxima, _GroupPosterior(group)
        everywhere = domain.sample(GRID, rng)
        mean, variance = posterior.mean_and_variance(np.vstack([everywhere, best]))
        if self._options.maxima_of == "independent-values":
            return gumbel_maxima(mean, np.sqrt(variance), count, rng)
        functions = DrawnFactor.of(group, FREQUENCIES, count, rng)
        starts = (everywhere, best) if len(best) else (everywhere,)
        return plausible(maxima(functions, domain, starts), mean, np.sqrt(variance))


@dataclass(frozen=True, eq=False)
class _Total:
    """The sum of the groups' gains as a function of (n, D) points; ``groups`` are their coordinates."""

    gains: Sequence[MaxValueEntropy]
    groups: Sequence[IndexArray]

    def values(self, X: FloatArray) -> FloatArray:
        parts = [gain.values(X[:, own]) for gain, own in zip(self.gains, self.groups, strict=True)]
        return np.asarray(np.sum(parts, axis=0))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        total, slopes = np.zeros(len(X)), np.zeros(X.shape)
        for gain, own in zip(self.gains, self.groups, strict=True):
            values, gradient = gain.values_and_gradients(X[:, own])
            total += values
            slopes[:, own] += gradient
        return total, slopes


@dataclass(frozen=True, eq=False)
class _GroupPosterior:
    """One group's factor as a `Posterior` of its own coordinates. It has no use for a deviation's weight."""

    factor: LocalObjective

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.factor.parts(X)

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        at = self.factor.parts_and_gradients(X)
        return PosteriorGradients(at.plain, at.shared, at.plain_gradient, at.shared_gradient)
