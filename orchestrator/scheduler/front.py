"""The Pareto front of a run with several objectives: the trials that no other one beats.

Notation: M objectives.
"""

from __future__ import annotations

from orchestrator.objectives import as_good
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.values.finite import is_finite


def scores(policy: Policy, trial: Trial) -> tuple[float, ...] | None:
    """The M objectives of a trial, each the more the better; None where one of them is not known."""
    told = [trial.value, *(trial.extras.get(name) for name, _ in policy.sought.further)]
    goals = [policy.sought.goal, *(goal for _, goal in policy.sought.further)]
    found = []
    for value, goal in zip(told, goals, strict=True):
        if not isinstance(value, int | float) or not is_finite(value):
            return None
        found.append(float(value) if goal == "maximise" else -float(value))
    return tuple(found)


def joined(state: State, front: tuple[Trial, ...], trial: Trial) -> tuple[Trial, ...]:
    """The front once another trial counts, in the order in which its trials came: the same one where that is
    no trade-off, because one of the front is at least as good in every objective.
    """
    own = trial.scores
    if own is None or not state.may_be_best(trial):
        return front
    kept = []
    for other in front:
        assert other.scores is not None
        if as_good(other.scores, own):
            return front
        if not as_good(own, other.scores):
            kept.append(other)
    return (*kept, trial)
