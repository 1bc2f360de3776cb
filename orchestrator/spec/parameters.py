"""The parameters of a spec: what may be varied, between which bounds, on which scale."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from orchestrator.spec.section import Section, is_number, refuse, shown

ScalarValue: TypeAlias = str | int | float | bool


def _scalar(value: Any) -> Any:
    if isinstance(value, str | bool) or is_number(value):
        return value
    raise refuse(f"expected text, a finite number, true or false, got {shown(value)}")


def _pair(value: Any) -> tuple[float, float]:
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(is_number(item) for item in value):
        raise refuse(f"expected two finite numbers, [low, high], got {shown(value)}")
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


def _whole_pair(value: Any) -> tuple[int, int]:
    low, high = _pair(value)
    for bound in (low, high):
        if bound != int(bound):
            raise refuse(
                f"expected whole numbers as the bounds of an int, got {bound}; `type: float` takes others"
            )
        if abs(bound) > 2**53:
            raise refuse(f"expected whole numbers of at most 2^53, got {bound}")
    return int(low), int(high)


Scalar = Annotated[ScalarValue, BeforeValidator(_scalar)]


def _log_above_zero(scale: str, info: ValidationInfo) -> str:
    bounds = info.data.get("bounds")
    if scale == "log" and bounds is not None and bounds[0] <= 0:
        raise refuse(f"a log scale needs bounds above 0, got {shown(bounds)}")
    return scale


Scale = Annotated[Literal["linear", "log"], AfterValidator(_log_above_zero)]


class FloatParameter(Section):
    """A real number."""

    type: Literal["float"]
    bounds: Annotated[tuple[float, float], BeforeValidator(_pair)]
    """The lowest and the highest value, both included."""
    scale: Scale = "linear"
    """`log` for what matters by its order of magnitude; the bounds must then be above 0."""
    unit: str | None = None


class IntParameter(Section):
    """A whole number."""

    type: Literal["int"]
    bounds: Annotated[tuple[int, int], BeforeValidator(_whole_pair)]
    """The lowest and the highest value, both included."""
    scale: Scale = "linear"
    """`log` for what matters by its order of magnitude; the bounds must then be above 0."""
    unit: str | None = None


class ChoiceParameter(Section):
    """One of some values that have no order."""

    type: Literal["choice"]
    values: list[Scalar]
    """At least two, each once."""
    unit: str | None = None

    @field_validator("values")
    @classmethod
    def _two_or_more_each_once(cls, values: list[ScalarValue]) -> list[ScalarValue]:
        if len(values) < 2:
            raise refuse(
                f"expected at least two values to choose from, got {len(values)}; one is `type: fixed`"
            )
        for i, value in enumerate(values):
            if any(_alike(value, other) for other in values[:i]):
                raise refuse(f"expected each value once, got {shown(value)} again")
        return values


def _alike(a: ScalarValue, b: ScalarValue) -> bool:
    # By their text as well, because that is how a CSV file of results names them.
    return str(a) == str(b) or (isinstance(a, bool) == isinstance(b, bool) and a == b)


class FixedParameter(Section):
    """A constant that every evaluation is given. A bare value in place of the mapping is one as well."""

    type: Literal["fixed"]
    value: Scalar
    unit: str | None = None


Parameter = Annotated[
    FloatParameter | IntParameter | ChoiceParameter | FixedParameter, Field(discriminator="type")
]
