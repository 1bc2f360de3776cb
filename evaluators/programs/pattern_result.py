"""A program's result by a pattern: what its groups find in what the program printed, or wrote to a file."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from evaluators.errors import EvaluationError
from evaluators.programs.bounded_search import BoundedSearch, TookTooLong
from evaluators.programs.last_words import last_line
from evaluators.programs.said import Said
from evaluators.programs.written_number import read_number
from evaluators.programs.written_quantity import is_time, read_quantity

SEARCH_TICKS: Final = 20
"""Of the search: some ten seconds, for what is searched may be a MiB."""
_NUMBER: Final = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?(?![\w.])")
_DECIMAL_COMMA: Final = re.compile(r"\s*[-+]?\d+,\d+(?:[eE][-+]?\d+)?\s*")
_THOUSANDS_APART: Final = re.compile(
    r"\s*[-+]?\d{1,3}(?:(?:[,']\d{3})+\.\d*|(?:[.'\s]\d{3})+,\d+|(?:,\d{3}){2,}|(?:\.\d{3}){2,}|(?:'\d{3})+)\s*"
)
_LOOKED_THROUGH: Final = 8_000
"""Characters of the end, for what a pattern nearly finds."""


def by_pattern(pattern: str, said: Said, objective: str) -> object:
    """The number that the first group of the last match is, or a mapping of the groups that have names.

    Raises `EvaluationError` (invalid) where it finds nothing, or no number where there has to be one.
    """
    found = _found(pattern, said)
    named = _named(found)
    own_names = ("value", objective)
    result: dict[str, object] = {}
    if not any(name in named for name in own_names):
        value = expected_number(found[1], pattern)
        if not named:
            return value
        result["value"] = value
    for name, what in named.items():
        result |= told_by_name(name, what, own_names, pattern)
    return result


def told_by_name(name: str, said: str, own_names: Container[str], pattern: str) -> dict[str, object]:
    """What a pattern found under a name, as it is returned: the number that stands for the value, or for how
    surely that is known, or whatever else.

    ``own_names`` are those of the value. Raises `EvaluationError` (invalid) where it has to be a number.
    """
    if name == "deviation":
        deviation = expected_number(said, pattern)
        # Beyond 1e154 a power raises; a product is infinite, which is said as of any other value.
        return {"variance": deviation * deviation}
    if name == "variance" or name in own_names:
        return {name: expected_number(said, pattern)}
    return {name: _number_or_text(said)}


def named_by_pattern(pattern: str, said: Said) -> dict[str, object]:
    """What the groups that have names find, numbers as numbers, where nothing has to be one. Raises as
    `by_pattern` does where it finds nothing.
    """
    return {name: _number_or_text(what) for name, what in _named(_found(pattern, said)).items()}


def _found(pattern: str, said: Said) -> re.Match[str]:
    for text in said.texts:
        try:
            found = _last(pattern, text)
        except TookTooLong:
            raise took_too_long(pattern, said.told) from None
        if found is not None and found.lastindex is not None:
            return found
    raise EvaluationError("invalid", why_not_found(pattern, said))


def took_too_long(pattern: str, told: str) -> EvaluationError:
    """Of a pattern that was given up."""
    return EvaluationError(
        "invalid",
        f"expected {told} what matches `{pattern}`, which took too long to look for, and was given up: "
        "write the pattern so that it can be found in one way only",
    )


def why_not_found(pattern: str, said: Said, *, name: str = "") -> str:
    """A sentence about a pattern, perhaps for a value of some ``name``, that matches nothing in a text."""
    wanted = f"`{name}`, by " if name else ""
    last = last_line(said.shown[-_LOOKED_THROUGH:].encode(), said.nothing)
    nearly = next(filter(None, (_nearly(pattern, text[-_LOOKED_THROUGH:]) for text in said.texts)), "")
    return f"expected {said.told} {wanted}what matches `{pattern}`; {last}{nearly}"


def _named(found: re.Match[str]) -> dict[str, str]:
    return {name: said for name, said in found.groupdict().items() if said is not None}


def _number_or_text(said: str) -> object:
    number = read_number(said)
    return said if number is None else number


def _last(pattern: str, text: str) -> re.Match[str] | None:
    search = BoundedSearch(pattern, re.MULTILINE, ticks=SEARCH_TICKS)
    with search.ticking():
        return search.last(text)


def _nearly(pattern: str, text: str) -> str:
    """Programs print numbers in columns, with more spaces before them than one thinks of."""
    if (looser := re.sub(r" (?![+*?{])", " +", pattern)) == pattern:
        return ""
    try:
        found = _last(looser, text)
    except (re.error, TookTooLong):
        return ""
    return (
        ""
        if found is None
        else "; it would match with ` +`, one space or more, for each space of the pattern"
    )


def _begins_as_one(said: str) -> str:
    """What to write where more was found than the number, as its unit, or whatever else the line has."""
    if is_time(said):
        return ", a time: `in: s` beside the pattern, or `min` or another unit, has it read"
    if otherwise := in_another_notation(said):
        return otherwise
    begun = _NUMBER.match(said)
    if begun is None:
        return ""
    if said[begun.end() :][:1].isspace():
        return r", whose beginning is one: write `(\S+)` for what ends at a space"
    return ", whose beginning is one: write `(.*?)` for as little as there may be"


def in_another_notation(said: str) -> str:
    """How programs are had to write a number without the commas of another country; empty for all else."""
    if _DECIMAL_COMMA.fullmatch(said):
        return ", with a comma: `env LC_ALL=C` before the program has most write points"
    return _thousands_apart(said) if _THOUSANDS_APART.fullmatch(said) else ""


def _thousands_apart(said: str) -> str:
    mark = said.strip().lstrip("+-0123456789")[0]
    # Points stand in numbers beside it, too, and would go with these.
    alone = mark != "." and read_number(said.replace(mark, "")) is not None
    shown = '"\'"' if mark == "'" else mark
    others = f"; where it does not, `| tr -d {shown}` behind it in a shell takes them out" if alone else ""
    return (
        f", with thousands set apart: `env LC_ALL=C` before the program has most write them without{others}"
    )


def expected_number(said: str | None, pattern: str, unit: str | None = None) -> float:
    """The number that a pattern found, perhaps of what it found with a unit of its own, in a ``unit``. Raises
    `EvaluationError` (invalid) where it is none.
    """
    if unit is not None:
        return _expected_quantity(said or "", pattern, unit)
    number = None if said is None else read_number(said)
    if number is None:
        raise EvaluationError(
            "invalid",
            f"expected the pattern `{pattern}` to find a number, it found {said!r}"
            f"{_begins_as_one(said or '')}",
        )
    return number


def _expected_quantity(said: str, pattern: str, unit: str) -> float:
    quantity = read_quantity(said, unit)
    if quantity is None:
        hint = ""
        if read_number(said) is not None:
            hint = ", which has none: let the group be about that, too, as in `(.+)` or `(\\S+ ?[a-zA-Z]*)`"
        elif unit == "m" and is_time(said):
            hint = ": `min` are minutes, `m` are metres"
        raise EvaluationError(
            "invalid",
            f"expected the pattern `{pattern}` to find a number with a unit, to be had in `{unit}`, it found"
            f" {said!r}{hint}",
        )
    return quantity
