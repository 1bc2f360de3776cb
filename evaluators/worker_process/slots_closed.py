"""The end of all of a worker's slots, within a time that no process can draw out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from evaluators.worker_process.slot import Slot

KILLED_WITHIN_S: Final = 5.0
"""Seconds that processes have for their end once they are killed: as long as their memory takes to be freed,
and longer only where the system holds them.
"""


def close_all(slots: Sequence[Slot]) -> None:
    """Kill all that runs, and wait for its end together."""
    for slot in slots:
        slot.kill()
    until = time.monotonic() + KILLED_WITHIN_S
    for slot in slots:
        slot.close(max(0.0, until - time.monotonic()))
