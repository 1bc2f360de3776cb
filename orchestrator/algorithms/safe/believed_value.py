"""What a safe search believes of the value, and how much better it may be at a point.

Notation: S draws, n results, k points, D coordinates.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.after_evaluation import deviation_after
from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Prediction, Problem
from orchestrator.algorithms.gaussian_process.drawn_models import SOME_NOISE, DrawnModels, Priors, smooth
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain

# What improves on the best by less does not count, in standardised units.
LEAST_IMPROVEMENT = 1e-4
# So many of the best points are not to be improved on by their noise.
CONTENDERS = 10


@dataclass(frozen=True, eq=False)
class BelievedValue:
    """By S models; ``kept`` (m, D) are the points of those results that may be the best, of which there need
    be none yet.
    """

    domain: Domain
    models: DrawnModels
    kept: FloatArray
    is_noisy: bool

    @classmethod
    def of(cls, problem: Problem, history: History) -> BelievedValue | None:
        """None before there is a value. A failed evaluation counts as the lowest."""
        if not history.successes:
            return None
        values = history.values
        told = ToldValues.of(problem, history, slice(None))
        succeeded = ~np.isnan(values)
        scale = Standardisation.of(values[succeeded])
        y, variances = told.standardised(scale)
        y = np.where(succeeded, y, y[succeeded].min())
        noise = SOME_NOISE if problem.noise.kind == "unknown" else None
        priors = Priors(smooth(problem.domain.dimension), noise)
        data = Data(problem.domain.embed(history.points), y, problem.domain.embedded_aspect, variances)
        rng = stream(problem.seed, "safe search, value", len(history))
        may_be_best = history.satisfying & problem.domain.feasible(history.points)
        return cls(
            problem.domain,
            DrawnModels.of(data, scale, priors, rng),
            history.points[may_be_best],
            not problem.noise.is_none,
        )

    def beside(self, running: FloatArray) -> AbstractContextManager[None]:
        """Within the block (k, D) points that run count as come out as expected. Where values are noisy, so
        do the best ones, without their noise: that they may be better than believed is no improvement.
        """
        if not self.is_noisy:
            return self.models.hallucinating(self.domain.embed(running))
        best = self.kept[np.argsort(-self.mean(self.kept), kind="stable")[:CONTENDERS]]
        settled = self.domain.embed(np.unique(np.vstack([best, running]), axis=0))
        return self.models.hallucinating(settled, without_noise=True)

    def log_improvement(self, points: FloatArray, running: FloatArray) -> FloatArray:
        """(k,) the logarithm of what is expected over the best result that may be one, and over (r, D) points
        that run and may come to be one, on average over the draws: each has its own best. Over nothing every
        point is as good as another: 0.
        """
        over = np.vstack([self.kept, running])
        if not len(over):
            return np.zeros(len(points))
        means, variances = self.models.moments(self.domain.embed(points))
        of_kept, _ = self.models.moments(self.domain.embed(over))
        logs = []
        for mean, variance, best, noise in zip(
            means, variances, of_kept.max(axis=1), self.models.noise_variances, strict=True
        ):
            deviation = np.maximum(deviation_after(variance, float(noise)), 1e-12)
            z = (mean - best - LEAST_IMPROVEMENT) / deviation
            logs.append(np.log(deviation) + normal.log_h(z))
        return np.asarray(np.logaddexp.reduce(logs, axis=0) - math.log(len(logs)))

    def mean(self, points: FloatArray) -> FloatArray:
        """(k,) what is expected, standardised."""
        return np.asarray(self.models.moments(self.domain.embed(points))[0].mean(axis=0))

    def predicted(self, point: FloatArray) -> Prediction:
        """Of a (D,) point, in the objective's units, without its noise."""
        means, variances = self.models.moments(self.domain.embed(point))
        variance = float(variances.mean() + means.var())
        return Prediction.of(float(means.mean()), variance, self.models.scale)
