"""What callers of the Python interface say of a threshold, where it is sought which side values lie on."""

from __future__ import annotations

from typing import SupportsFloat

from orchestrator.errors import UsageError
from orchestrator.values.finite import is_number
from orchestrator.values.plain import plain

NO_BEST = (
    "it is sought where the value is above the threshold, and no point is the best; insight() says where"
)
NO_GOAL = "expected no goal beside `threshold`, got `minimise`: no best point is sought; leave it out"


def threshold_of(told: SupportsFloat | None, sign: float) -> float | None:
    """What algorithms are told. Raises UsageError for what is no finite number, and beside a goal."""
    if told is None:
        return None
    value = _number(told)
    if value is None or not is_number(value):
        raise UsageError(f"expected as `threshold` a finite number, got {told!r}")
    if sign < 0:
        raise UsageError(NO_GOAL)
    return value


def _number(told: SupportsFloat) -> float | None:
    try:
        return None if isinstance(plain(told), str | bool) else float(told)
    except (TypeError, ValueError, OverflowError):
        return None
