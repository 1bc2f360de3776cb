"""What `auto` believes may come of an evaluation beside its value: by a refit, and after a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Member
from orchestrator.algorithms.mixture.duration_belief import DurationBelief, logarithms
from orchestrator.algorithms.mixture.further_belief import FurtherBelief, ObjectiveBelief, known
from orchestrator.algorithms.mixture.outcome_belief import OutcomeBelief, SlackBelief, SlackReading
from orchestrator.algorithms.mixture.outcomes_kept import OutcomesKept
from orchestrator.algorithms.mixture.success_refit import first_belief, success_belief


def believed_outcomes(kept: OutcomesKept, payload: Mapping[str, Any]) -> OutcomeBelief | None:
    """What a refit's payload says of slacks, of success and of durations, conditioned on what is kept; None
    where it says nothing of any.
    """
    # Refits that were journalled before there were outcomes, or failures were learned, say nothing of them.
    slacks = _slack_beliefs(kept, payload.get("outcomes") or ())
    model, timed = payload.get("success"), payload.get("duration")
    success = None if model is None else success_belief(kept, model)
    duration = None if timed is None else _duration_belief(kept, timed)
    nothing = not slacks and success is None and duration is None
    return None if nothing else OutcomeBelief(slacks, success, duration)


def believed_further(kept: OutcomesKept, payload: Mapping[str, Any]) -> FurtherBelief | None:
    """What a refit's payload says of the objectives beside the value; None where it says nothing of them."""
    # Refits that were journalled before there were several objectives say nothing of others.
    if not (models := payload.get("further")):
        return None
    beliefs = []
    for model, told in zip(models, kept.history.further[kept.rows].T, strict=True):
        penalty = float(model["penalty"])
        member = Member.from_json(model, kept.problem.domain, known(kept.embedded, told, penalty))
        beliefs.append(ObjectiveBelief(member, penalty))
    return FurtherBelief(tuple(beliefs))


def after_a_failure(
    believed: OutcomeBelief | None, problem: Problem, history: History, row: int
) -> OutcomeBelief:
    """The same once the evaluation of a row has failed: the first failure of all is learned from at once."""
    if believed is not None and believed.success is not None:
        return believed
    success = first_belief(OutcomesKept(problem, history, row + 1, row + 1))
    return OutcomeBelief((), success) if believed is None else replace(believed, success=success)


def _slack_beliefs(kept: OutcomesKept, models: Sequence[Mapping[str, Any]]) -> tuple[SlackBelief, ...]:
    slacks, beliefs = kept.history.slacks[kept.rows], []
    for model in models:
        slack = int(model["slack"])
        reading = SlackReading(float(model["typical_size"]), float(model["penalty"]))
        held = reading.known(kept.embedded, slacks[:, slack])
        beliefs.append(SlackBelief(slack, Member.from_json(model, kept.problem.domain, held), reading))
    return tuple(beliefs)


def _duration_belief(kept: OutcomesKept, model: Mapping[str, Any]) -> DurationBelief:
    held = logarithms(kept.embedded, kept.history.durations[kept.rows])
    return DurationBelief(Member.from_json(model, kept.problem.domain, held))
