"""Options as they are meant: true is no number, 1 is not true, text is neither."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic_core import PydanticKnownError

_SCALARS = {bool, int, float, NoneType}


def refuse_what_is_taken_for_another(told: Any, annotation: Any) -> None:
    """Raises pydantic's own error for a scalar of the wrong kind that pydantic would convert in silence.

    Only where the annotation takes truth values, numbers and nothing else: others answer for themselves.
    """
    taken = _kinds(annotation)
    if told is None or not taken <= _SCALARS or not isinstance(told, bool | int | float | str):
        return
    if isinstance(told, str) or not taken & ({bool} if isinstance(told, bool) else {int, float}):
        raise PydanticKnownError(
            "bool_type" if bool in taken else "float_type" if float in taken else "int_type"
        )


def exactly_two(told: Any) -> Any:
    """The two ends of an interval; raises ValueError for a list of any other length."""
    if isinstance(told, list | tuple) and len(told) != 2:
        raise ValueError("expected two numbers, [low, high]")
    return told


def _kinds(annotation: Any) -> set[Any]:
    """What an annotation is a union of; literals by their values' types."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kinds(arguments[0])
    if origin in (Union, UnionType):
        return set().union(*map(_kinds, arguments))
    if origin is Literal:
        return {type(value) for value in arguments}
    return {annotation}
