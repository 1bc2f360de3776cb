"""What a worker says of how an evaluation ended, as the event that it is."""

from __future__ import annotations

import math

import msgspec

from orchestrator.programs.slot_variables import told_of_own
from orchestrator.runtime.results.usable_values import why_unusable
from orchestrator.scheduler.events import FailureArrived, ResultArrived
from orchestrator.wire.messages import Failure, Result

MESSAGE_LIMIT = 4_000
"""Characters of a failure's message that are kept."""


def failure_arrived(worker: str, message: Failure, now: float) -> FailureArrived:
    """An evaluation that gave no value."""
    return FailureArrived(
        at=now,
        worker=worker,
        lease=message.lease,
        kind=message.kind,
        message=message.message[:MESSAGE_LIMIT],
        elapsed=_duration(message.elapsed_s),
        own=told_of_own(message.own),
    )


def result_arrived(
    worker: str, message: Result, now: float, factors: int | None
) -> ResultArrived | FailureArrived:
    """A value; a failure where it is none that can be used, of an objective of so many ``factors``: None
    where it has none.
    """
    if complaint := _why_unusable(message, factors):
        return FailureArrived(
            at=now,
            worker=worker,
            lease=message.lease,
            kind="invalid",
            message=complaint,
            own=told_of_own(message.own),
        )
    return _as_it_came(worker, message, now)


def evaluated(worker: str, message: Result, now: float) -> ResultArrived:
    """That an evaluation came to its end, where people compare what came of it: its value says nothing."""
    without = msgspec.structs.replace(message, value=None, variance=None, factors=None)
    return _as_it_came(worker, without, now)


def _as_it_came(worker: str, message: Result, now: float) -> ResultArrived:
    return ResultArrived(
        at=now,
        worker=worker,
        lease=message.lease,
        value=message.value,
        variance=message.variance,
        factors=None if message.factors is None else tuple(message.factors),
        extras=message.extras,
        elapsed=_duration(message.elapsed_s),
        own=told_of_own(message.own),
        continued=message.continued,
    )


def _why_unusable(message: Result, factors: int | None) -> str:
    if message.value is None:
        return "expected a value, got none"
    return why_unusable(message.value, message.variance, message.factors, factors)


def _duration(seconds: float) -> float:
    return seconds if math.isfinite(seconds) and seconds >= 0.0 else 0.0
