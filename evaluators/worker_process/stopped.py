"""Whether this process was stopped while it waited, as a queue suspends a job or Ctrl-Z what a shell started.

The system tells nobody. But whoever was to wake by a moment, and wakes much later, did not run meanwhile.
"""

from __future__ import annotations

from typing import Final

LOOKS_EVERY_S: Final = 2.0
"""Who is to find it out waits no longer at a time: what falls within a wait does not show."""
_LATE_S: Final = 5.0
"""However busy a machine is, it wakes nobody so late each time: else no limit would ever come."""


def stopped_for_s(woke_before: float, waits_s: float, woke: float) -> float:
    """Seconds since it woke the last time, if it was to wait no longer than ``waits_s`` then and woke late;
    else 0. Somewhat more than it was stopped for, so that no limit comes too soon.
    """
    took = woke - woke_before
    return took if took - waits_s > _LATE_S else 0.0
