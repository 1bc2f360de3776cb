"""What is believed of designs over the conditions that they are used in, under several hyperparameters.

Notation: S draws of hyperparameters, n results, k designs, m conditions, D coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Prediction, Problem
from orchestrator.algorithms.gaussian_process.drawn_models import SOME_NOISE, DrawnModels, LogNormal, Priors
from orchestrator.algorithms.history import History
from orchestrator.algorithms.in_use.moments import OverConditions, antithetic_draws
from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse

DRAWS = 32
"""Of a design's values, where what they are worth together is not their average."""
MODELS, MODELS_IF_DRAWN = 4, 2
"""As many of the draws of hyperparameters are believed in, where an average is sought, and else, where each
costs many times as much."""
LEAST_IMPROVEMENT = 1e-4
"""What improves on the best by less does not count, in standardised units."""


def length_scales(dimension: int) -> LogNormal:
    """Beforehand, in the unit cube of so many coordinates: surer than elsewhere, as few results are explained
    as well by a function that changes at once with the design, and hardly with conditions.
    """
    return LogNormal(0.3 * math.sqrt(dimension), 0.5, (0.02, 30.0))


@dataclass(frozen=True, eq=False)
class BelievedDesigns:
    """By S models; ``tried`` (t, D) are the designs of results with a value that may be the best, each once,
    and ``trials`` the first trial of each. ``noise``: the variance of an evaluation that is known, or was
    told, standardised; of what nobody knows models have their own.
    """

    models: DrawnModels
    over: OverConditions
    tried: FloatArray
    trials: tuple[int, ...]
    noise: float

    @classmethod
    def of(cls, problem: Problem, in_use: ConditionsInUse, history: History) -> BelievedDesigns | None:
        """None before there is a value."""
        if not history.successes:
            return None
        told = ToldValues.of(problem, history, slice(None))
        succeeded = ~np.isnan(told.values)
        scale = Standardisation.of(told.values[succeeded])
        noise = told.typical_noise(scale)
        y, variances = told.standardised(scale, noise)
        priors = Priors(
            length_scales(problem.domain.dimension), SOME_NOISE if problem.noise.kind == "unknown" else None
        )
        data = Data(problem.domain.embed(history.points), y, problem.domain.embedded_aspect, variances)
        models = DrawnModels.of(data, scale, priors, stream(problem.seed, "in use, models", len(history)))
        rng = stream(problem.seed, "in use, values", len(history))
        over = OverConditions(problem.domain, in_use, antithetic_draws(DRAWS, len(in_use.points), rng))
        rows = np.flatnonzero(succeeded & problem.domain.feasible(history.points))
        tried, first = np.unique(in_use.as_designs(history.points[rows]), axis=0, return_index=True)
        count = MODELS if over.is_average else MODELS_IF_DRAWN
        trials = tuple(history.trials[rows[i]] for i in first)
        return cls(models.thinned(count), over, tried, trials, noise)

    def beside(self, running: FloatArray) -> AbstractContextManager[None]:
        """Within the block (k, D) points that run count as come out as expected."""
        X = self.over.domain.embed(running)
        return in_all(one.hallucinating(X, extra_noise=self.noise) for one in self.models.posteriors)

    def mean_and_deviation(self, designs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(k,) of what (k, D) designs are worth, by all models together, standardised."""
        found = [self.over.moments(one, designs) for one in self.models.posteriors]
        means, variances = np.array([mean for mean, _ in found]), np.array([one for _, one in found])
        return means.mean(axis=0), np.sqrt(variances.mean(axis=0) + means.var(axis=0))

    def best_of(self, designs: FloatArray) -> tuple[float, ...]:
        """Of (k, D) designs, of which there must be one, the highest mean by each of the S models."""
        return tuple(float(self.over.moments(one, designs)[0].max()) for one in self.models.posteriors)

    def log_improvement(self, designs: FloatArray, best: Sequence[float]) -> FloatArray:
        """(k,) logarithms of what is expected over the ``best`` by each model, by all of them."""
        logs = [np.log(deviation) + normal.log_h(z) for z, deviation in self._above(designs, best)]
        return np.asarray(np.logaddexp.reduce(logs, axis=0) - math.log(len(logs)))

    def chance(self, design: FloatArray, best: Sequence[float]) -> float:
        """That a (D,) design is better than that."""
        return float(np.mean([normal.distribution(z) for z, _ in self._above(design[None, :], best)]))

    def told(self, design: FloatArray) -> FloatArray:
        """(m,) what part of the variance of what a (D,) design is worth an evaluation in each condition would
        take away, on average over the models.
        """
        return np.asarray(
            np.mean([self.over.told(p, design[None, :], self.noise) for p in self.models.posteriors], axis=0)
        )

    def _above(self, designs: FloatArray, best: Sequence[float]) -> Iterator[tuple[FloatArray, FloatArray]]:
        for posterior, highest in zip(self.models.posteriors, best, strict=True):
            mean, variance = self.over.moments(posterior, designs)
            deviation = np.sqrt(variance)
            yield (mean - highest - LEAST_IMPROVEMENT) / deviation, deviation

    def best_tried(self, caution: float) -> int | None:
        """The number of the design tried that is believed best, even if it should be worse than expected by
        ``caution`` deviations; None where there is none.
        """
        if not len(self.tried):
            return None
        mean, deviation = self.mean_and_deviation(self.tried)
        return int(np.argmax(mean - caution * deviation))

    def predicted(self, design: FloatArray) -> Prediction:
        """Of what a (D,) design is worth, in the objective's units."""
        mean, deviation = self.mean_and_deviation(design[None, :])
        return Prediction.of(float(mean[0]), float(deviation[0]) ** 2, self.models.scale)

    def value_predicted(self, point: FloatArray) -> Prediction:
        """Of the value at a (D,) point, in one condition, without its noise."""
        means, variances = self.models.moments(self.over.domain.embed(point))
        return Prediction.of(float(means.mean()), float(variances.mean() + means.var()), self.models.scale)
