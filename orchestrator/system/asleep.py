"""How long this machine has slept: of its clocks one stands still meanwhile, and another does not."""

from __future__ import annotations

import time


def seconds_asleep() -> float:
    """Since it was started; 0 where the system does not tell."""
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return 0.0 if clock is None else float(time.clock_gettime(clock)) - time.monotonic()
