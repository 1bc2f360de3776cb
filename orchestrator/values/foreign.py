"""What callers of the Python interface hand over of other libraries, beyond what algorithms ever see: numbers
that are the one element of something, and what is said of what was none.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from orchestrator.values.finite import in_short, is_finite
from orchestrator.values.plain import number_of, plain

LONGEST_LINE = 100
"""Characters of an array that are shown."""
LONGEST_SHOWN = 200
"""Of anything else."""


def single_number(value: Any) -> Any:
    """`number_of`, and a Decimal as a float. What has dimensions, as numpy, pandas, torch and others have
    them, but one element is that element; one that is masked is none, whatever number lies beneath.
    """
    if type(value) is float or type(value) is int:
        return value
    shape = getattr(value, "shape", None)
    single = isinstance(shape, tuple) and all(size == 1 for size in shape) and hasattr(value, "item")
    if single and _is_masked(value):
        return value
    number = number_of(value.item() if single else value)
    # Of one that signals that it is no number nothing else may be asked.
    decimal = isinstance(number, Decimal) and number.is_finite() and is_finite(number)
    return float(number) if decimal else number


def plain_within(value: Any) -> Any:
    """`plain`, of what Python's own lists, tuples and mappings hold, too; these stay what they are."""
    if type(value) is dict:
        return {name: plain_within(one) for name, one in value.items()}
    return type(value)(map(plain_within, value)) if type(value) in (list, tuple) else plain(value)


def numbers_within(value: Any) -> Any:
    """`single_number`, of what mappings, lists, arrays and columns hold, too; these become Python's own, and
    an array with one element stays a list of it.
    """
    if isinstance(value, Mapping):
        return {name: numbers_within(one) for name, one in value.items()}
    if getattr(value, "shape", ()) and hasattr(value, "tolist"):
        value = value.tolist()
    return [numbers_within(one) for one in value] if isinstance(value, list | tuple) else single_number(value)


def in_a_line(value: object) -> str:
    """`in_short`, and of what is long the beginning; of what has dimensions, as an array or a table, only
    these where it takes lines.
    """
    text = in_short(value)
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and ("\n" in text or len(text) > LONGEST_LINE):
        return f"{type(value).__name__} of shape {shape}"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _is_masked(value: object) -> bool:
    """Whether the one element of an array is masked, as numpy has it."""
    mask: object = getattr(value, "mask", None)
    return hasattr(mask, "item") and bool(mask.item())


def in_place_of_mapping(told: object) -> str:
    """What came there, in a line, and how a row of a table becomes one."""
    if hasattr(told, "to_dict"):
        return f"a {type(told).__name__}: give what its `.to_dict()` returns"
    return in_a_line(told)
