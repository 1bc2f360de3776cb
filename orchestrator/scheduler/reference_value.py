"""What was measured of the point that a run's best is measured against, as it was corrected."""

from __future__ import annotations

from statistics import mean

from orchestrator.scheduler.corrections import as_corrected
from orchestrator.scheduler.reference import measured_at_reference, reference_of
from orchestrator.scheduler.state import State


def measured_of_reference(state: State) -> tuple[float | None, bool]:
    """What was measured of it, on average over all that counts; and whether any does: else what its first
    trial came to, as it was corrected.
    """
    if (trial := reference_of(state)) is None:
        return None, False
    if values := counted_of_reference(state):
        return mean(values), True
    (now,) = as_corrected(state, [trial]) if trial.forgotten else (trial,)
    return now.value, state.counts(now)


def counted_of_reference(state: State) -> list[float]:
    """The values of its settings that count."""
    measured = measured_at_reference(state)
    return [one.value for one in measured if one.value is not None and state.counts(one)]


def value_of_reference(state: State) -> float | None:
    """What was measured of it, on average, as far as that counts."""
    value, counts = measured_of_reference(state)
    return value if counts else None
