"""From what an evaluation began that was to go on from another."""

from __future__ import annotations

from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial


def is_unfounded(trial: Trial, state: State) -> bool:
    """Whether what the trial came to is forgotten that it was to go on from."""
    return trial.suggested.continues > 0 and state.begun(trial) is None


def began_anew_words(trial: Trial, state: State) -> str:
    """That it began from nothing all the same, and why; nothing where it did not."""
    return why_anew(trial, is_unfounded(trial, state)) if trial.went_on is False else ""


def why_anew(trial: Trial, unfounded: bool) -> str:
    """Of one that began from nothing."""
    left = f"what trial {trial.suggested.continues} left"
    why = f"{left} is forgotten" if unfounded else f"its worker did not have {left}"
    return f"it began from nothing: {why}"
