"""The parameters of a spec: what may be varied, between which bounds, on which scale."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from orchestrator.conditions import Condition, alike, terms_of
from orchestrator.spec.section import Section, is_number, refuse, shown
from orchestrator.spec.when import ScalarValue, When, is_scalar


def _scalar(value: Any) -> Any:
    if is_scalar(value):
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


def _beside_when(value: ScalarValue | None, info: ValidationInfo) -> ScalarValue | None:
    if value is not None and "when" in info.data and info.data["when"] is None:
        raise refuse("expected `when` as well: a parameter without it always counts, and is never otherwise")
    return value


Otherwise = Annotated[
    Annotated[Scalar | None, AfterValidator(_beside_when)],
    Field(
        description="What an evaluation is given where the parameter does not count; nothing, if left out."
    ),
]


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
    when: When = None
    otherwise: Otherwise = None


class IntParameter(Section):
    """A whole number."""

    type: Literal["int"]
    bounds: Annotated[tuple[int, int], BeforeValidator(_whole_pair)]
    """The lowest and the highest value, both included."""
    scale: Scale = "linear"
    """`log` for what matters by its order of magnitude; the bounds must then be above 0."""
    unit: str | None = None
    when: When = None
    otherwise: Otherwise = None


class ChoiceParameter(Section):
    """One of some values that have no order."""

    type: Literal["choice"]
    values: list[Scalar]
    """At least two, each once."""
    unit: str | None = None
    when: When = None
    otherwise: Otherwise = None

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
    return str(a) == str(b) or alike(a, b)


class FixedParameter(Section):
    """A constant that every evaluation is given. A bare value in place of the mapping is one as well."""

    type: Literal["fixed"]
    value: Scalar
    unit: str | None = None


Parameter = Annotated[
    FloatParameter | IntParameter | ChoiceParameter | FixedParameter, Field(discriminator="type")
]


def condition_of(parameter: Parameter) -> Condition | None:
    """When a parameter counts, or None where it always does."""
    if isinstance(parameter, FixedParameter) or parameter.when is None:
        return None
    return Condition(terms_of(parameter.when), parameter.otherwise)


def conditions_of(parameters: Mapping[str, Parameter]) -> dict[str, Condition]:
    """Of those of the parameters that do not always count, when they do."""
    return {name: one for name, told in parameters.items() if (one := condition_of(told)) is not None}
