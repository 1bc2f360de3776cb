"""What all parts of a spec share: frozen, strict about types and keys, and errors that are sentences."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict
from pydantic_core import PydanticCustomError

from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.values.finite import is_number, written
from orchestrator.values.typed_numbers import decimals_hint


class Section(BaseModel):
    """Root of the spec's models. Text is no number, 1 is not true, and unknown keys are errors."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        populate_by_name=True,
    )


def refuse(sentence: str, within: Sequence[str] = ()) -> PydanticCustomError:
    """An error whose text is shown as it is, at the keys that lead to it ``within`` what is validated. Raise
    it in a validator.
    """
    # Braces are pydantic's own placeholders, so the text travels as one.
    return PydanticCustomError("sentence", "{sentence}", {"sentence": sentence, "within": tuple(within)})


def shown(value: object) -> str:
    """What came, in words: scalars as they are written, anything else by its kind."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, str):
        return f"`{value}`" if len(value) <= 60 else f"`{value[:57]}...`"
    if isinstance(value, int | float):
        return written(value)
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        plainly = all(isinstance(item, str | int | float) for item in value) and len(value) <= 6
        return f"[{', '.join(map(_item, value))}]" if plainly else f"a list of {len(value)}"
    return f"a {type(value).__name__}"


def _item(value: str | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return written(value)
    # Text only because of its quotation marks: without them, it would seem to be what was expected.
    return value if isinstance(scalar(value), str) else f'"{value}"'


def no_number_hint(came: object) -> str:
    """What is to be done about what came in the place of a number, where that can be told."""
    if not isinstance(came, str):
        return ""
    return "; it is text: leave out its quotes" if is_number(scalar(came)) else decimals_hint(came)
