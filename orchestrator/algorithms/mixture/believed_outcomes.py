"""What `auto` believes may come of an evaluation beside its value: by a refit, and after a failure."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.algorithms.base import Problem, Refit
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.outcome_belief import OutcomeBelief
from orchestrator.algorithms.mixture.outcome_refit import duration_belief, slack_beliefs
from orchestrator.algorithms.mixture.success_refit import first_belief, success_belief


def believed_outcomes(problem: Problem, history: History, refit: Refit) -> OutcomeBelief | None:
    """What a refit's payload says of slacks, of success and of durations, conditioned on the results that it
    saw; None where it says nothing of any.
    """
    number, seen = refit.number, refit.observations
    # Refits that were journalled before there were outcomes, or failures were learned, say nothing of them.
    slacks = slack_beliefs(problem, history, number, seen, refit.payload.get("outcomes") or ())
    model = refit.payload.get("success")
    success = None if model is None else success_belief(problem, history, number, seen, model)
    timed = refit.payload.get("duration")
    duration = None if timed is None else duration_belief(problem, history, number, seen, timed)
    nothing = not slacks and success is None and duration is None
    return None if nothing else OutcomeBelief(slacks, success, duration)


def after_a_failure(
    believed: OutcomeBelief | None, problem: Problem, history: History, row: int
) -> OutcomeBelief:
    """The same once the evaluation of a row has failed: the first failure of all is learned from at once."""
    if believed is None:
        return OutcomeBelief((), first_belief(problem, history, row + 1))
    if believed.success is None:
        return replace(believed, success=first_belief(problem, history, row + 1))
    return believed
