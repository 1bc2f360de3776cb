"""A program's result by patterns, one for each value: in what the program printed, or wrote to its files.

    output:
      patterns:
        gain: 'gain += +(\\S+)'
        stress: {file: plate.dat, pattern: 'mises (\\S+)', take: largest}

What a name means is as for the groups of a single pattern (`evaluators.programs.pattern_result`), but each
has to be found: where one is missing, it is known which.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Mapping
from typing import Final

from evaluators.errors import EvaluationError
from evaluators.programs.bounded_search import BoundedSearch, TookTooLong
from evaluators.programs.last_words import shown_line
from evaluators.programs.pattern_result import (
    SEARCH_TICKS,
    expected_number,
    told_by_name,
    took_too_long,
    why_not_found,
)
from evaluators.programs.said import Said


def _total(numbers: array[float]) -> float:
    try:
        return math.fsum(numbers)
    except (ValueError, OverflowError):
        # Infinite ones of both signs, or too large together: neither is a number.
        return sum(numbers)


_OF_ALL: Final[Mapping[str, Callable[[array[float]], object]]] = {
    "largest": max,
    "least": min,
    "mean": lambda numbers: _total(numbers) / len(numbers),
    "sum": _total,
    "all": list,
}
_NAMES_SEARCHED: Final = 64_000
"""Characters of the end, for a line that has the name of what is not found."""


def by_value_patterns(
    patterns: Mapping[str, Mapping[str, str]], objective: str, said: Callable[[str | None], Said]
) -> dict[str, object]:
    """The values by their names; ``deviation`` becomes the ``variance``.

    ``said`` is the text of a file, or of what was printed where there is None. Raises `EvaluationError`
    (invalid) where a pattern finds nothing, or no number where there has to be one.
    """
    values: dict[str, object] = {}
    for name, form in patterns.items():
        text = said(form.get("file"))
        take, pattern = form.get("take", "last"), form["pattern"]
        if take in _OF_ALL:
            what = _of_all(name, pattern, text, take)
            if name == "deviation" and isinstance(what, float):
                values["variance"] = what * what
            else:
                values[name] = what
        else:
            values |= told_by_name(name, _one(name, pattern, text, take), ("value", objective), pattern)
    return values


def _one(name: str, pattern: str, said: Said, take: str) -> str:
    search = BoundedSearch(pattern, re.MULTILINE, ticks=SEARCH_TICKS)
    for text in said.texts:
        try:
            with search.ticking():
                found = search.last(text) if take == "last" else search.first(text, len(text))
        except TookTooLong:
            raise took_too_long(pattern, said.told) from None
        if found is not None and found[1] is not None:
            return found[1]
    raise _missing(name, pattern, said)


def _of_all(name: str, pattern: str, said: Said, take: str) -> object:
    search = BoundedSearch(pattern, re.MULTILINE, ticks=SEARCH_TICKS)
    numbers = array("d")
    for text in said.texts:
        try:
            with search.ticking():
                numbers.extend(expected_number(found[1], pattern) for found in search.every(text))
        except TookTooLong:
            raise took_too_long(pattern, said.told) from None
        if numbers:
            break
    else:
        raise _missing(name, pattern, said)
    # The largest of some numbers and NaN is any of them, by their order.
    has_nan = take != "all" and any(map(math.isnan, numbers))
    return math.nan if has_nan else _OF_ALL[take](numbers)


def _missing(name: str, pattern: str, said: Said) -> EvaluationError:
    lines = [line for text in said.texts for line in reversed(text[-_NAMES_SEARCHED:].splitlines())]
    named = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    line = next(filter(named.search, lines), None)
    hint = "" if line is None else f"; the last line with `{name}` is {shown_line(line)}"
    return EvaluationError("invalid", why_not_found(pattern, said, name=name) + hint)
