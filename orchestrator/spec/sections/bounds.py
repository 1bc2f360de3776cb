"""Between which numbers a parameter lies: [low, high], read with what was probably meant."""

from __future__ import annotations

import math
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator

from orchestrator.spec.document.section import no_number_hint, refuse, shown
from orchestrator.spec.document.units_beside import in_one_unit
from orchestrator.values.finite import is_number


def _pair(value: Any) -> tuple[float, float]:
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(is_number(item) for item in value):
        three = isinstance(value, list | tuple) and len(value) == 3 and all(map(is_number, value))
        advice = (
            f"; how far apart values are is said beside it, as `step: {shown(value[2])}`" if three else ""
        )
        if isinstance(value, list | tuple) and len(value) == 2:
            advice = next(filter(None, map(no_number_hint, value)), "")
            if told := in_one_unit(value):
                advice = f"; is it `bounds: {shown(list(told[0]))}, unit: {told[1]}`?"
        if isinstance(value, str) and value.startswith("("):
            advice = "; lists are written in square brackets"
        raise refuse(f"expected two finite numbers, [low, high], got {shown(value)}{advice}")
    low, high = value
    if low == high:
        raise refuse(
            f"expected [low, high] with low below high, got {shown(value)}; a constant is `type: fixed`"
        )
    if low > high:
        raise refuse(f"expected [low, high] with low below high, got {shown(value)}; swap them")
    if not math.isfinite(float(high) - float(low)):
        raise refuse(f"expected bounds that differ by less than 1.8e308, got {shown(value)}")
    return low, high


def _pair_if_any(value: Any) -> tuple[float, float] | None:
    return None if value is None else _pair(value)


def _whole_pair(value: object) -> tuple[int, int]:
    low, high = _pair(value)
    for bound in (low, high):
        if bound != int(bound):
            raise refuse(
                f"expected whole numbers as the bounds of an int, got {bound}; `type: float` takes others"
            )
        if abs(bound) > 2**53:
            raise refuse(f"expected whole numbers of at most 2^53, got {bound}")
    return int(low), int(high)


Bounds: TypeAlias = Annotated[tuple[float, float], BeforeValidator(_pair)]
BoundsIfAny: TypeAlias = Annotated[tuple[float, float] | None, BeforeValidator(_pair_if_any)]
WholeBounds: TypeAlias = Annotated[tuple[int, int], BeforeValidator(_whole_pair)]
