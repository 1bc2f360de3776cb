"""Cells of a table that are texts, as `csv.DictReader` leaves all of them, as what they say.

Of a number there is one reading. What is named is so by the letter, as it may be a text itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.parameters.kinds import ChoiceParameter, Parameter
from orchestrator.parameters.ordered import OrderedParameter

_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NONE = ("", "nan", "-nan", "na", "n/a", "none", "<na>")
"""What is written where there is no number, in capitals or not."""


def number_said(cell: object) -> object:
    """The number that a text is, or None where it says that there is none; anything else as it came: digits
    in groups, or with a comma, have more than one reading.
    """
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    if text.casefold() in _NONE:
        return None
    if _WHOLE.fullmatch(text) and len(text) < 300:
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else cell


def value_said(cell: object, parameter: Parameter) -> object:
    """A parameter's value that a text is; anything else as it came."""
    if not isinstance(cell, str):
        return cell
    if isinstance(parameter, ChoiceParameter):
        return named_by(cell, parameter.values)
    if isinstance(parameter, OrderedParameter) and not parameter.all_numbers:
        return named_by(cell, list(parameter.values))
    return number_said(cell)


def named_by(cell: object, values: Sequence[object]) -> object:
    """Which of the values a text names: itself before one that is written so. An empty one that names none is
    nothing, and so is anything else as it came.
    """
    if not isinstance(cell, str) or cell in values:
        return cell
    number = number_said(cell)
    named = [one for one in values if _is_written(one, cell.strip(), number)]
    if len(named) == 1:
        return named[0]
    return None if not cell.strip() else cell


def _is_written(value: object, text: str, number: object) -> bool:
    """Whether a value is written as a text that is this number, if it is one."""
    if isinstance(value, bool) or value is None:
        return str(value).casefold() == text.casefold()
    if isinstance(value, int | float):
        return isinstance(number, int | float) and value == number
    return str(value) == text
