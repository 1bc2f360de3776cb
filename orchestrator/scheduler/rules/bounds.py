"""Which points lie within bounds that were amended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from orchestrator.values.finite import is_number
from orchestrator.values.named import Values

Bounds: TypeAlias = Mapping[str, tuple[float, float]]


def outside(bounds: Bounds, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """The parameters of a point that lie outside, as what is no number does. One that the point does not
    have, as it does not count there, does not.
    """
    return tuple(
        name
        for name, (low, high) in bounds.items()
        if name in parameters and not (is_number(parameters[name]) and low <= parameters[name] <= high)
    )


def bounds_words(bounds: Bounds) -> str:
    """``x1 in [0, 2], x2 in [1, 3]``."""
    return ", ".join(f"{name} in [{low:g}, {high:g}]" for name, (low, high) in bounds.items())


def outside_words(bounds: Bounds, parameters: Values) -> str:
    """Where a point lies outside, for people."""
    said = [
        f"{name} = {parameters[name]:g} is not in [{bounds[name][0]:g}, {bounds[name][1]:g}]"
        for name in outside(bounds, parameters)
    ]
    return f"outside the amended bounds: {', '.join(said)}"
