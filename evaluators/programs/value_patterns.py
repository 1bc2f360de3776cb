"""A program's result by patterns, one for each value: in what the program printed, or wrote to its files.

    output:
      patterns:
        gain: 'gain += +(\\S+)'
        stress: {file: plate.dat, pattern: 'mises (\\S+)', take: largest}
        sag: {file: tip.csv, column: z}
        mass: {file: parts.json, key: total.mass}
        ohms: {file: wing.log, below: INPUT PARAMETERS, column: 7}
        print: {file: wing.gcode, pattern: 'printing time = (.+)', in: min}

In the place of a pattern a value may be in a column of a table, or under a key of JSON. ``below`` is the last
line that has such words, under which alone a pattern or a column is looked for, this in the first table, and
``above`` the first line under that where this part ends. ``in`` is the unit that a number is wanted in which
is printed with one of its own. What a name means is as for the groups of a single pattern
(`evaluators.programs.pattern_result`), but each has to be found, or to say what it is ``otherwise``: where
one is missing, it is known which.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from evaluators.errors import EvaluationError, NothingFound
from evaluators.programs.bounded_search import BoundedSearch, TookTooLong
from evaluators.programs.json_key import Keyed, nothing_under
from evaluators.programs.last_words import shown_line
from evaluators.programs.pattern_result import (
    SEARCH_TICKS,
    expected_number,
    told_by_name,
    took_too_long,
    why_not_found,
)
from evaluators.programs.said import Said
from evaluators.programs.table_column import column_of


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
    "first": lambda numbers: numbers[0],
    "last": lambda numbers: numbers[-1],
}
_NAMES_SEARCHED: Final = 64_000
"""Characters of the end, for a line that has the name of what is not found."""


def by_value_patterns(
    patterns: Mapping[str, Mapping[str, Any]],
    objective: str,
    said: Callable[[str | None], Said],
    content: Callable[[str | None], Keyed],
) -> dict[str, object]:
    """The values by their names; ``deviation`` becomes the ``variance``.

    ``said`` is the text of a file, or of what was printed where there is None, and ``content`` what is in it
    under keys. Raises `EvaluationError` (invalid) where a pattern finds nothing, or no number where there has
    to be one.
    """
    values: dict[str, object] = {}
    for name, form in patterns.items():
        try:
            values |= _value(name, form, objective, said, content)
        except NothingFound:
            if "otherwise" not in form:
                raise
            values |= _named(name, form["otherwise"])
    return values


def _value(
    name: str,
    form: Mapping[str, Any],
    objective: str,
    said: Callable[[str | None], Said],
    content: Callable[[str | None], Keyed],
) -> Mapping[str, object]:
    file, take = form.get("file"), form.get("take")
    if "key" in form:
        told = f"the program to write to {file}" if file else "the program to print"
        what = _taken_under_key(content(file), form["key"], told, take)
        if what is None and name in ("value", objective):
            raise nothing_under(form["key"], told)
        return _named(name, form["otherwise"] if what == [] and "otherwise" in form else what)
    text = said(file).part(form)
    if "column" in form:
        numbers = column_of(text, form["column"], first="below" in form)
        return _named(name, _taken(numbers, take or "last"))
    pattern, unit = form["pattern"], form.get("in")
    if take not in (None, "first", "last"):
        return _named(name, _taken(_numbers(name, pattern, unit, text), take))
    found = _one(name, pattern, text, take or "last")
    if unit is not None:
        return _named(name, expected_number(found, pattern, unit))
    return told_by_name(name, found, ("value", objective), pattern)


def _named(name: str, what: object) -> dict[str, object]:
    if name == "deviation" and isinstance(what, int | float):
        return {"variance": what * what}
    return {name: what}


def _taken(numbers: array[float], take: str) -> object:
    # The largest of some numbers and NaN is any of them, by their order.
    has_nan = take in ("largest", "least", "mean", "sum") and any(map(math.isnan, numbers))
    return math.nan if has_nan else _OF_ALL[take](numbers)


def _taken_under_key(content: Keyed, key: str, told: str, take: str | None) -> object:
    what = content.under(key, told)
    if take is not None and isinstance(what, int | float):
        what = [what]
    if take is None or not isinstance(what, list):
        return what
    try:
        numbers = array("d", _flat(what))
    except (TypeError, OverflowError):
        numbers = array("d")
    if not numbers:
        found = shown_line(json.dumps(what, ensure_ascii=False))
        message = f"expected {told} numbers under `{key}`, got {found}"
        raise EvaluationError("invalid", message) if what else NothingFound(message)
    return _taken(numbers, take)


def _flat(numbers: list[Any]) -> Iterator[Any]:
    """Those of lists within lists, too, as of a field."""
    for one in numbers:
        if isinstance(one, list):
            yield from _flat(one)
        else:
            yield one


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


def _numbers(name: str, pattern: str, unit: str | None, said: Said) -> array[float]:
    search = BoundedSearch(pattern, re.MULTILINE, ticks=SEARCH_TICKS)
    numbers = array("d")
    for text in said.texts:
        try:
            with search.ticking():
                numbers.extend(expected_number(found[1], pattern, unit) for found in search.every(text))
        except TookTooLong:
            raise took_too_long(pattern, said.told) from None
        if numbers:
            break
    else:
        raise _missing(name, pattern, said)
    return numbers


def _missing(name: str, pattern: str, said: Said) -> NothingFound:
    lines = [line for text in said.texts for line in reversed(text[-_NAMES_SEARCHED:].splitlines())]
    named = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    line = next(filter(named.search, lines), None)
    hint = "" if line is None else f"; the last line with `{name}` is {shown_line(line)}"
    return NothingFound(why_not_found(pattern, said, name=name) + hint)
