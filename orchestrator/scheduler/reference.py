"""The point that a run's best is measured against, as the plant runs today: the first that is tried."""

from __future__ import annotations

from orchestrator.scheduler.event_parts import OF_REFERENCE
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial


def is_reference(trial: Trial) -> bool:
    """Whether it is that point's first trial, or one of those that a run begins with."""
    return trial.suggested.why.get("source") == OF_REFERENCE


def reference_of(state: State) -> Trial | None:
    """Its trial, whatever came of it; None where the spec names none."""
    first = state.trials.get(1)
    return first if first is not None and is_reference(first) else None


def measured_at_reference(state: State) -> list[Trial]:
    """All that has a value of its settings, and is not forgotten: it may be tried several times, and known
    results, what corrects it among them, may be of the same.
    """
    if (reference := reference_of(state)) is None:
        return []
    return [
        trial
        for trial in state.observed
        if trial.value is not None and not trial.forgotten and trial.parameters == reference.parameters
    ]


def came_to_nothing(state: State) -> bool:
    """Whether nothing was measured of the reference, and nothing will be of the trials that there are."""
    if (reference := reference_of(state)) is None or measured_at_reference(state):
        return False
    return all(trial.parameters != reference.parameters for trial in state.unsettled.values())
