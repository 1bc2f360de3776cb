"""What is believed of the slacks of constraints on outcomes, each under hyperparameters drawn.

Notation: n results, k points, E embedded columns.
"""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.gaussian_process.drawn_models import SOME_NOISE, DrawnModels, LogNormal, Priors
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.scales.standardise import Standardisation


def drawn_slack(problem: Problem, history: History, number: int, length_scale: LogNormal) -> DrawnModels:
    """Of the slack with this number, of which something must be known: with a mean of 0 where nothing is
    near, as likely broken there as not.
    """
    slack = history.slacks[:, number]
    known = ~np.isnan(slack)
    size = _typical_size(slack[np.isfinite(slack)])
    # By how much it falls short, or has to spare, where nobody can say: as much as others are from 0.
    y = np.where(np.isfinite(slack[known]), slack[known], np.copysign(size, slack[known])) / size
    X = problem.domain.embed(history.points)
    data = Data(X[known], y, problem.domain.embedded_aspect)
    priors = Priors(length_scale, None if problem.noise.is_none else SOME_NOISE)
    rng = stream(problem.seed, "safe search, slack", number, len(history))
    return DrawnModels.of(data, Standardisation(0.0, size), priors, rng)


def broken(model: DrawnModels, X: FloatArray) -> FloatArray:
    """(k,) the probability that a slack is below 0 in an evaluation at (k, E) embedded inputs, its noise
    included.
    """
    means, variances = model.moments(X)
    deviations = np.sqrt(variances + model.noise_variances[:, None])
    return np.asarray(normal.distribution(-means / deviations).mean(axis=0))


def _typical_size(slacks: FloatArray) -> float:
    size = float(np.sqrt(np.mean(np.square(slacks)))) if len(slacks) else 0.0
    return size or 1.0
