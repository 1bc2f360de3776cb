"""Durations by the processor's clock, which on a busy virtual machine stands still at times."""

from __future__ import annotations

import time
from collections.abc import Iterable


def seen(seconds: Iterable[float]) -> list[float]:
    """Those that the clock saw, none of which is 0; one tick of it if it saw none."""
    return [s for s in seconds if s > 0.0] or [time.get_clock_info("process_time").resolution]
