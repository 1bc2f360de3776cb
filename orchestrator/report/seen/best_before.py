"""The best value of a run beside the best one before it, which tells how many digits of it matter."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.report.words.wording import number_beside
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial


def best_value_words(state: State, best: Trial, digits: int) -> str:
    """The value of the best trial, in ``digits`` or as many more as tell it from the best one before it."""
    assert best.value is not None, "the best trial has a value"
    values = _values_before(state, best)
    before = (
        max(values, default=None) if state.policy.sought.goal == "maximise" else min(values, default=None)
    )
    return number_beside(best.value, before, digits)


def _values_before(state: State, best: Trial) -> Iterator[float]:
    """Of trials that were settled before it, and might be the best."""
    for trial in state.trials.values():
        if trial.value is None or trial.settled_at is None or best.settled_at is None:
            continue
        if trial.settled_at < best.settled_at and state.counts(trial) and state.may_be_best(trial):
            yield trial.value
