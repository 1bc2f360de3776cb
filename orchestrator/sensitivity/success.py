"""Whether evaluations succeed, by those that did and those that did not: what `auto` believes of that."""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.outcomes_kept import OutcomesKept
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.algorithms.mixture.success_refit import success_belief, success_model
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.sensitivity.measured import Measured


def failed_among(problem: Problem, measured: Measured, failed: FloatArray) -> tuple[FloatArray, BoolArray]:
    """(n, D) points of all that was tried, and (n,) which failed: (f, D) ``failed`` ones, and what is among
    the measured, but a penalty that stands for a failure.
    """
    broke = np.append(measured.penalties(problem), np.ones(len(failed), dtype=bool))
    return np.vstack([measured.points, failed]), broke


def believed_success(problem: Problem, points: FloatArray, failed: BoolArray) -> SuccessBelief | None:
    """By evaluations at (n, D) points, of which (n,) ``failed``; None if none did."""
    if not failed.any():
        return None
    history = History(problem.domain)
    for trial, (point, broke) in enumerate(zip(points, failed, strict=True)):
        history.tell(Observation(trial, point, None if broke else 0.0))
    kept = OutcomesKept(problem, history, 1, len(history))
    model = success_model(kept, len(history))
    assert model is not None
    return success_belief(kept, model)
