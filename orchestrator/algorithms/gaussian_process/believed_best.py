"""Which of the points told is believed best, where the highest value may be the luckiest.

Notation: D coordinates, k points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np

from orchestrator.algorithms.base import BelievedBest, Prediction, Problem
from orchestrator.algorithms.gaussian_process.belief import GpBelief
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain

Belief: TypeAlias = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
"""(k,) means and (k,) variances at (k, D) points."""
Mean: TypeAlias = Callable[[FloatArray], FloatArray]
"""(k,) what values are believed to be at (k, D) points, without their noise."""
Believed: TypeAlias = Mean | None
"""By what points are judged where values are noisy; None where values are what they are."""

# So many of the highest values are in question.
IN_QUESTION = 64
# A noise variance, in standardised units, that matters.
NOTICED = 1e-3


class _Posterior(Protocol):
    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]: ...


def embedded(domain: Domain, posterior: _Posterior) -> Belief:
    """That of a posterior which answers embedded points."""
    return lambda X: posterior.mean_and_variance(domain.embed(X))


def noisy(problem: Problem, inferred: float | None) -> bool:
    """Whether values are noisy, as far as is told, or by the noise variance ``inferred`` of them, if any, in
    standardised units.
    """
    noise = problem.noise
    if noise.kind == "unknown":
        return inferred is not None and inferred > NOTICED
    return noise.kind == "reported" or noise.standard_deviation > 0.0


def believed_best(
    history: History,
    belief: Belief,
    scale: Standardisation,
    rows: IndexArray | None = None,
    *,
    caution: float = 0.0,
) -> BelievedBest | None:
    """The point of highest mean, less ``caution`` deviations, among those of the highest values; None before
    there is a value.

    ``belief`` is in standardised units, and ``scale`` what they are of. ``rows`` are the results in question,
    where these are others.
    """
    rows = history.best_rows(IN_QUESTION) if rows is None else rows
    if not len(rows):
        return None
    mean, variance = belief(history.points[rows])
    k = int(np.argmax(mean - caution * np.sqrt(variance)))
    return BelievedBest(history.trials[rows[k]], Prediction.of(mean[k], variance[k], scale))


def believed_best_by(belief: GpBelief, problem: Problem, history: History) -> BelievedBest | None:
    """By the first process of a belief that is ready; None where values are not noisy, and where it has left
    results behind, which it could not compare.
    """
    fitted = belief.fitted
    posterior = fitted.posteriors[0]
    if len(belief.rows) < len(history) or not noisy(problem, posterior.noise_variance):
        return None
    return believed_best(history, embedded(problem.domain, posterior), fitted.standardisation)
