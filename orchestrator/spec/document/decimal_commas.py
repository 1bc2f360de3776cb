"""Numbers that were written with a comma before their decimals, which YAML takes for two."""

from __future__ import annotations

import re
from typing import Final

from orchestrator.spec.document.tree import Place

_WHOLE_PART: Final = re.compile(r"(?<![\w.,])[-+]?\d+,\Z")
_DECIMALS: Final = re.compile(r"\d+(?![\d.]|,\S)")
_WITH_A_COMMA: Final = re.compile(r"(?<![\w.,])[-+]?\d+,\d+(?![\d.]|,\S)")

_THOUSANDS: Final = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")


def decimal_comma_hint(place: Place) -> str:
    """What to do about a number that was torn apart where something is wrong, behind words that it is; or
    nothing. It is torn there, or in a list that begins there and has other commas with a space behind them.
    """
    if not 0 < place.line <= len(place.source.lines):
        return ""
    line = place.source.lines[place.line - 1]
    before, behind = line[: place.column - 1], line[place.column - 1 :]
    whole, decimals = _WHOLE_PART.search(before), _DECIMALS.match(behind)
    number = ""
    if whole and decimals:
        number = whole[0] + decimals[0]
    elif behind.startswith("["):
        items = behind.partition("]")[0]
        if ", " in items and (found := _WITH_A_COMMA.search(items)):
            number = found[0]
    if not number:
        return ""
    thousands = f", or whole: {number.replace(',', '')}" if _THOUSANDS.fullmatch(number) else ""
    return f"; if `{number}` is one number, write it with a point: {number.replace(',', '.')}{thousands}"
