"""What values of parameters are: which are numbers, which the same, and what is said of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from orchestrator.errors import SpecError
from orchestrator.spelling import did_you_mean
from orchestrator.values.finite import in_short, is_finite
from orchestrator.values.same import alike

Scale = Literal["linear", "log"]


def number_in(value: Any) -> float | None:
    """The value as a finite float, or None: text, booleans, NaN, infinities and whole numbers beyond a float
    are no numbers here.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        return None
    return float(value) if is_finite(value) else None


def same(a: Any, b: Any) -> bool:
    """Equal, and neither is a boolean where the other is a number: YAML's `true` is not 1. Arrays and pandas'
    NA, whose equality is no one truth, never are.
    """
    try:
        return alike(a, b)
    except (TypeError, ValueError):
        return False


def mismatch(name: str, expected: str, came: Any, near: Sequence[str] = ()) -> SpecError:
    """What a parameter was expected to be, and what came, with a near miss."""
    hint = did_you_mean(in_short(came) if isinstance(came, int) else str(came), near)
    return SpecError(f"parameter `{name}`: expected {expected}, got {in_short(came)}{hint}")
