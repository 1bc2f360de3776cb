"""What was measured of the point that a run's best is measured against, as it was corrected."""

from __future__ import annotations

from orchestrator.scheduler.corrections import as_corrected
from orchestrator.scheduler.reference import reference_of
from orchestrator.scheduler.state import State


def measured_of_reference(state: State) -> tuple[float | None, bool]:
    """What was measured of it, as it was corrected; and whether that counts."""
    if (trial := reference_of(state)) is None:
        return None, False
    (now,) = as_corrected(state, [trial]) if trial.forgotten else (trial,)
    return now.value, state.counts(now)


def value_of_reference(state: State) -> float | None:
    """What was measured of it, as it was corrected, as far as that counts."""
    value, counts = measured_of_reference(state)
    return value if counts else None
