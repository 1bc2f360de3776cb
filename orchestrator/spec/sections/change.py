"""What a parameter's `change` may hold, beside the keys before it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema

from orchestrator.spec.document.section import refuse, shown
from orchestrator.spec.sections.durations import SCHEMA
from orchestrator.values.change import KEYS, ChangeMistake, change_of


def _as_it_takes(told: Any, info: ValidationInfo) -> Any:
    of_numbers = info.data.get("type") in ("float", "int")
    if told is None or (of_numbers and "scale" not in info.data):
        return None
    try:
        change_of(told, info.data["scale"] if of_numbers else None)
    except ChangeMistake as error:
        raise refuse(f"expected {error}, got {shown(error.came)}", error.within) from None
    return told


_DURATIONS = SCHEMA["anyOf"]
_BY_DIRECTION = {
    "type": "object",
    "properties": {
        **{key: {"anyOf": _DURATIONS} for key in KEYS if key != "per"},
        "per": {"type": "number", "exclusiveMinimum": 0},
    },
    "additionalProperties": False,
}
_WEIGHED = " What points promise is weighed against that."
TimeToChange = Annotated[
    Annotated[
        Any,
        BeforeValidator(_as_it_takes),
        WithJsonSchema({"anyOf": [*_DURATIONS, _BY_DIRECTION, {"type": "null"}]}),
    ],
    Field(
        description="What it takes to change it from one evaluation to the next, as `20 min`; or, in its own"
        " units, `{takes: 2 min, per: 10}` or `{up: 2 min, down: 6 min, per: 10}`, a factor where the scale"
        f" is log.{_WEIGHED}"
    ),
]
"""Of numbers."""
TimeToChangeOne = Annotated[
    Annotated[Any, BeforeValidator(_as_it_takes), WithJsonSchema({"anyOf": [*_DURATIONS, {"type": "null"}]})],
    Field(description=f"What it takes to change it from one evaluation to the next, as `20 min`.{_WEIGHED}"),
]
"""Of one of some values."""
