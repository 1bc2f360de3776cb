"""Whether this process was stopped while it waited, as a queue suspends a job or Ctrl-Z what a shell started.

The system tells nobody. But whoever was to wake by a moment, and wakes much later, did not run meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LOOKS_EVERY_S: Final = 2.0
"""Who is to find it out waits no longer at a time: what falls within a wait does not show."""
_LATE_S: Final = 5.0
"""However busy a machine is, it wakes nobody so late each time: else no limit would ever come."""


@dataclass(frozen=True, slots=True)
class Stop:
    """For so long this process was stopped; ``at_most_s`` is for limits, of which none is to come soon."""

    at_least_s: float
    at_most_s: float


def stop_between(woke_before: float, waits_s: float, woke: float) -> Stop | None:
    """What stopped it since it woke the last time, if it was to wait no longer than ``waits_s`` seconds then
    and woke late.
    """
    took = woke - woke_before
    late = took - waits_s
    return Stop(late, took) if late > _LATE_S else None
