"""Which day it is on this machine, where blocks of results are days."""

from __future__ import annotations

from datetime import datetime

from orchestrator.scheduler.amendment_events import BlockBegan
from orchestrator.scheduler.state import State
from orchestrator.values.block_name import BY_DAY


def day_begun(state: State, at: float, now: datetime) -> BlockBegan | None:
    """What tells a run that it is another day ``now``, by the calendar of the zone that this is of, if it
    does not know.
    """
    day = now.date().isoformat()
    if state.policy.results.blocks != BY_DAY or state.block == day:
        return None
    return BlockBegan(at=at, block=day)
