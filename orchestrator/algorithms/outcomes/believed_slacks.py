"""How likely what is asked of outcomes holds at a point, and that an evaluation gives any.

Notation: n results, C slacks, E embedded columns.
"""

from __future__ import annotations

import numpy as np

from orchestrator.acquisition.feasibility import LogFeasibility, SlackScore
from orchestrator.acquisition.success import LogSuccess
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.algorithms.outcomes.outcome_models import (
    FITS,
    GroupFit,
    OutcomesKnown,
    conditioned_alone,
    fitted,
)
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.evidence.thinning import evenly
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.latent.likeliest_kernel import FAMILY
from orchestrator.surrogates.latent.probit_fit import base_rate, fit_success

LARGEST_FITTED = 200


class BelievedSlacks:
    """Of a ``problem``. What is fitted is kept until a fit is due anew, as of outcomes, and depends on
    nothing but the results up to then.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._slacks: dict[int, tuple[int, GroupFit]] = {}
        self._success: tuple[bytes, Hyperparameters] | None = None

    def feasibility(self, history: History, X: FloatArray, succeeded: BoolArray) -> LogFeasibility | None:
        """By all n results at (n, E) inputs, of which (n,) ``succeeded``; None where nothing is asked, or
        known, and nothing failed.
        """
        scores = [
            score
            for number in range(self._problem.outcome_constraints)
            if (score := self._score(history.slacks[:, number], X, number)) is not None
        ]
        success = None if succeeded.all() else self._log_success(X, succeeded)
        return LogFeasibility(scores, success) if scores or success is not None else None

    def _log_success(self, X: FloatArray, succeeded: BoolArray) -> LogSuccess:
        aspects, due = self._problem.domain.embedded_aspect, FITS.seen(len(X))
        # Until one is among them, those that succeeded say nothing of where others fail.
        due = len(X) if succeeded[:due].all() else due
        mean = base_rate(succeeded)
        # What succeeded may be known to have failed since, and is fitted anew.
        by = succeeded[:due].tobytes()
        if self._success is None or self._success[0] != by:
            seen = evenly(due, LARGEST_FITTED)
            found = fit_success(X[seen], succeeded[seen], base_rate(succeeded[:due]), aspects)
            self._success = by, found
        return SuccessBelief(self._success[1].kernel(FAMILY, aspects), mean, X, succeeded).log_success

    def _score(self, slack: FloatArray, X: FloatArray, number: int) -> SlackScore | None:
        known = ~np.isnan(slack)
        if not np.isfinite(slack[known]).any():
            return None
        own, told = X[known], slack[known]
        aspects, due = self._problem.domain.embedded_aspect, FITS.seen(len(own))
        if number not in self._slacks or self._slacks[number][0] != due:
            rng = stream(self._problem.seed, "composite search, slack", number, due)
            is_noisy = not self._problem.noise.is_none
            slacks = OutcomesKnown(own[:due], _finite(told[:due])[:, None], aspects, is_noisy)
            (found,) = fitted(slacks, [slice(0, 1)], rng)
            self._slacks[number] = due, found
        fit = self._slacks[number][1]
        shift, scale = float(fit.shift[0]), float(fit.scale[0])
        return SlackScore(conditioned_alone(fit, own, _finite(told), aspects), -shift / scale)


def _finite(slacks: FloatArray) -> FloatArray:
    """With how much it falls short, or has to spare, where nobody can say: as much as others are from 0."""
    finite = slacks[np.isfinite(slacks)]
    size = float(np.sqrt(np.mean(np.square(finite)))) if len(finite) else 0.0
    return np.where(np.isfinite(slacks), slacks, np.copysign(size or 1.0, slacks))
