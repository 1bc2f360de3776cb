"""Values of a fixed width, for programs that read columns, as Fortran's do: ``{span:10}`` in a template.

Ten characters, numbers on the right of them and texts on the left; ``{span:<10}`` has both on the left, and
``{run:04}`` zeros before a number. A number of more digits than there is room for is rounded to as many as
there is room for, and has a decimal point in any case: without one Fortran's F10.4 puts one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from orchestrator.errors import OrchestratorError
from orchestrator.programs.placeholders import as_text

_WITH_WIDTH: Final = re.compile(r"(.+):([<0]?)([1-9][0-9]?)")
_MOST_DIGITS: Final = 17


class NoRoomForValue(OrchestratorError):
    """A value has more characters than its columns."""


def without_width(told: str, known: Collection[str]) -> str:
    """The name of what stands in braces, which may have a width behind it if the name is known."""
    found = _WITH_WIDTH.fullmatch(told)
    return told if found is None or told in known or found[1] not in known else found[1]


def written_in_width(value: object, told: str) -> str:
    """A value as ``told`` in its braces. Raises `NoRoomForValue`."""
    found = _WITH_WIDTH.fullmatch(told)
    assert found is not None, "it was found to have a width"
    width = int(found[3])
    number = isinstance(value, int | float) and not isinstance(value, bool)
    forms = _forms(value) if isinstance(value, float) else iter((as_text(value),))
    text = next((form for form in forms if len(form) <= width), None)
    if text is None:
        raise NoRoomForValue(f"{as_text(value)[:50]} has no room in the {width} characters of `{{{told}}}`")
    if found[2] == "0" and number:
        return text.zfill(width)
    return text.rjust(width) if number and found[2] != "<" else text.ljust(width)


def _forms(value: float) -> Iterator[str]:
    """A number in ever fewer digits, of each as a decimal and with an exponent, all with a decimal point."""
    yield _with_point(repr(value))
    for digits in range(_MOST_DIGITS, 0, -1):
        decimal = _with_point(repr(float(f"{value:.{digits}g}")))
        yield f"{decimal[:-2]}." if decimal.endswith(".0") else decimal
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        yield f"{_with_point(mantissa)}e{int(exponent)}"


def _with_point(number: str) -> str:
    """``1e-05`` as ``1.e-5``, and ``3.0`` as it is."""
    mantissa, exponent_mark, exponent = number.partition("e")
    mantissa = mantissa if "." in mantissa else f"{mantissa}."
    return f"{mantissa}e{int(exponent)}" if exponent_mark else mantissa
