"""The part of a refit of `auto` that is about whether evaluations succeed, and what is believed by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.outcome_refit import kept_rows
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.arrays import IndexArray
from orchestrator.surrogates.hyperparameters import Hyperparameters
from orchestrator.surrogates.probit_fit import FAMILY, base_rate, fit_success, typical
from orchestrator.surrogates.thinning import evenly

LARGEST_FITTED = 200
LEAST_CHANCE = 0.35
"""What is less likely to succeed is not tried while there is anything to gain elsewhere; where few points of
the start design succeeded, it is half of their share.
"""


def success_model(problem: Problem, history: History, number: int, designed: int) -> dict[str, Any] | None:
    """JSON values of what a refit finds; None while nothing has failed. Beyond 200 results it sees as many,
    spread evenly over time. So many of the first were ``designed``.
    """
    rows = kept_rows(problem, number, len(history))
    succeeded = ~np.isnan(history.values[rows])
    if succeeded.all():
        return None
    mean = base_rate(succeeded)
    seen = evenly(len(rows), LARGEST_FITTED)
    X = problem.domain.embed(history.points[rows[seen]])
    found = fit_success(X, succeeded[seen], mean, problem.domain.embedded_parameter)
    share = float(np.mean(~np.isnan(history.values[:designed])))
    return {"found": found.to_json(), "mean": mean, "least": min(LEAST_CHANCE, share / 2.0)}


def success_belief(
    problem: Problem, history: History, number: int, seen: int, model: Mapping[str, Any]
) -> SuccessBelief:
    """What a refit's payload says, told the first ``seen`` results, or 600 of them."""
    rows = kept_rows(problem, number, seen)
    found, mean = Hyperparameters.from_json(model["found"]), float(model["mean"])
    # Refits that were journalled before say nothing of it.
    return _belief(problem, history, rows, found, mean, float(model.get("least", 0.0)))


def first_belief(problem: Problem, history: History, seen: int) -> SuccessBelief:
    """Once something has failed, until there is a refit that knows of it: told the first ``seen`` results, or
    600 of them.
    """
    rows = kept_rows(problem, seen, seen)
    mean = base_rate(~np.isnan(history.values[rows]))
    return _belief(problem, history, rows, typical(problem.domain.embedded_parameter), mean)


def _belief(
    problem: Problem,
    history: History,
    rows: IndexArray,
    found: Hyperparameters,
    mean: float,
    least: float = 0.0,
) -> SuccessBelief:
    domain = problem.domain
    kernel = found.kernel(FAMILY, domain.embedded_parameter)
    X = domain.embed(history.points[rows])
    return SuccessBelief(kernel, mean, X, ~np.isnan(history.values[rows]), least)
