"""When a parameter of a spec counts, as it is written: see `orchestrator.expressions.conditions`."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, Field

from orchestrator.spec.document.section import refuse, shown
from orchestrator.values.finite import is_number

ScalarValue: TypeAlias = str | int | float | bool

EXPECTED = "expected when it counts, as `{optimiser: sgd}`, `{layers: [2, 3]}` or `layers >= 2`"


def is_scalar(value: object) -> bool:
    """Text, a finite number, true or false."""
    return isinstance(value, str | bool) or is_number(value)


def _term(value: object) -> object:
    if isinstance(value, str) and value.strip():
        return value
    if not isinstance(value, dict) or not value:
        raise refuse(f"{EXPECTED}, got {shown(value)}")
    for name, values in value.items():
        if not isinstance(values, list) or not values or not all(map(is_scalar, values)):
            # What stood alone has become a list of it.
            came = values[0] if isinstance(values, list) and len(values) == 1 else values
            raise refuse(f"expected a value of `{name}`, or a list of some, got {shown(came)}")
    return value


def _one_or_more(value: object) -> object:
    if not isinstance(value, list) or not value:
        raise refuse(f"{EXPECTED}, got {shown(value)}")
    return value


Term = Annotated[str | dict[str, list[ScalarValue]], BeforeValidator(_term)]

When = Annotated[
    Annotated[list[Term], BeforeValidator(_one_or_more)] | None,
    Field(
        description="When it counts, if not always: where other parameters have some values, as"
        " `{optimiser: sgd}` or `{layers: [2, 3]}`, or an inequality holds, as `layers >= 2`; all of these,"
        " if there are several. Elsewhere an evaluation is not given it."
    ),
]
