"""How likely what is asked of outcomes holds at a point, and that an evaluation gives any.

Notation: n results, C slacks, E embedded columns.
"""

from __future__ import annotations

import numpy as np

from orchestrator.acquisition.feasibility import LogFeasibility, SlackScore
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.composite.outcome_models import conditioned_alone
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.evidence.thinning import evenly
from orchestrator.surrogates.latent.probit_fit import FAMILY, base_rate, fit_success

LARGEST_FITTED = 200


def feasibility(
    problem: Problem, history: History, X: FloatArray, succeeded: BoolArray
) -> LogFeasibility | None:
    """By all n results at (n, E) inputs, of which (n,) ``succeeded``; None where nothing is asked, or known,
    and nothing failed.
    """
    scores = [
        score
        for number in range(problem.outcome_constraints)
        if (score := _score(problem, history, X, number)) is not None
    ]
    success = None
    if not succeeded.all():
        mean, seen = base_rate(succeeded), evenly(len(X), LARGEST_FITTED)
        aspects = problem.domain.embedded_aspect
        found = fit_success(X[seen], succeeded[seen], mean, aspects)
        success = SuccessBelief(found.kernel(FAMILY, aspects), mean, X, succeeded).log_success
    return LogFeasibility(scores, success) if scores or success is not None else None


def _score(problem: Problem, history: History, X: FloatArray, number: int) -> SlackScore | None:
    slack = history.slacks[:, number]
    known = ~np.isnan(slack)
    finite = slack[np.isfinite(slack)]
    if not len(finite):
        return None
    size = float(np.sqrt(np.mean(np.square(finite)))) or 1.0
    # By how much it falls short where nobody can say: as much as others are from 0.
    y = np.where(np.isfinite(slack[known]), slack[known], -size)
    rng = stream(problem.seed, "composite search, slack", number, len(history))
    aspects, is_noisy = problem.domain.embedded_aspect, not problem.noise.is_none
    model, shift, scale = conditioned_alone(X[known], y, aspects, is_noisy, rng)
    return SlackScore(model, -shift / scale)
