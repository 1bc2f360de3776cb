"""Why a run came to rest, but for what its budget says, which has words of its own."""

from __future__ import annotations

STOPPED = "stopped on request"
OPTIMISER_FAILED = "the optimiser failed"
NOTHING_SUCCEEDED = "no evaluation has succeeded"
FAILING_ALIKE = "evaluations fail one after the other, all in the same way"
AMENDED = "amended after its end"
EVERY_CANDIDATE = "every candidate was tried"
EVERY_POINT = "every point{0} was tried, and with `noise: 0` a second value at one tells nothing"
TIME_RAN_OUT = "the time budget ran out"

RESUMABLE = frozenset({STOPPED, OPTIMISER_FAILED, NOTHING_SUCCEEDED, FAILING_ALIKE, AMENDED})
"""Endings after which a run may be resumed; the others are what the budget meant."""
