"""By how much what is built may be off a setting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from orchestrator.values.finite import is_number, written

ToleranceOf: TypeAlias = Mapping[str, float]
"""By the parameters' names, in their own units, up and down; what is met exactly is not among them."""


def tolerance_of(width: Any, lowest: float, highest: float) -> float:
    """Of a number between bounds. Raises ValueError, which says what was expected, for what is no tolerance,
    or as wide as the bounds.
    """
    if not is_number(width) or width <= 0:
        raise ValueError("a number above 0, by how much it may be off, in the parameter's own units")
    if width >= highest - lowest:
        raise ValueError(f"less than the {written(highest - lowest)} that its bounds are apart")
    return float(width)
