"""A program's result by a pattern: what its groups find in what the program printed, or wrote to a file."""

from __future__ import annotations

import re
from typing import Final

from evaluators.errors import EvaluationError
from evaluators.programs.bounded_search import BoundedSearch, TookTooLong
from evaluators.programs.last_words import last_line
from evaluators.programs.written_number import read_number

_TICKS: Final = 20
"""Of the search: some ten seconds, for what is searched may be a MiB."""
_LOOKED_THROUGH: Final = 8_000
"""Characters of the end, for what a pattern nearly finds."""


def by_pattern(pattern: str, output: bytes, objective: str, *, told: str, nothing: str) -> object:
    """The number that the first group of the last match is, or a mapping of the groups that have names.

    ``told`` says what the program was to do, as to print it, ``nothing`` that there is none of it. Raises
    `EvaluationError` (invalid) where it finds nothing, or no number where there has to be one.
    """
    found = _found(pattern, output, told, nothing)
    named = _named(found)
    own_names = ("value", objective)
    result: dict[str, object] = {}
    if not any(name in named for name in own_names):
        value = _expected_number(found[1], pattern)
        if not named:
            return value
        result["value"] = value
    for name, said in named.items():
        if name == "deviation":
            result["variance"] = _expected_number(said, pattern) ** 2
        elif name == "variance":
            result["variance"] = _expected_number(said, pattern)
        elif name in own_names:
            result[name] = _expected_number(said, pattern)
        else:
            result[name] = _number_or_text(said)
    return result


def named_by_pattern(pattern: str, output: bytes, *, told: str, nothing: str) -> dict[str, object]:
    """What the groups that have names find, numbers as numbers, where nothing has to be one. Raises as
    `by_pattern` does where it finds nothing.
    """
    named = _named(_found(pattern, output, told, nothing))
    return {name: _number_or_text(said) for name, said in named.items()}


def _found(pattern: str, output: bytes, told: str, nothing: str) -> re.Match[str]:
    text = output.decode("utf-8", "replace")
    try:
        found = _last(pattern, text)
    except TookTooLong:
        raise EvaluationError(
            "invalid",
            f"expected {told} what matches {pattern!r}, which took too long to look for, and was given up: "
            "write the pattern so that it can be found in one way only",
        ) from None
    if found is None or found.lastindex is None:
        raise EvaluationError(
            "invalid",
            f"expected {told} what matches {pattern!r}; {last_line(output, nothing)}"
            f"{_nearly(pattern, text[-_LOOKED_THROUGH:])}",
        )
    return found


def _named(found: re.Match[str]) -> dict[str, str]:
    return {name: said for name, said in found.groupdict().items() if said is not None}


def _number_or_text(said: str) -> object:
    number = read_number(said)
    return said if number is None else number


def _last(pattern: str, text: str) -> re.Match[str] | None:
    search = BoundedSearch(pattern, re.MULTILINE, ticks=_TICKS)
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


def _expected_number(said: str | None, pattern: str) -> float:
    number = None if said is None else read_number(said)
    if number is None:
        raise EvaluationError(
            "invalid", f"expected the pattern {pattern!r} to find a number, it found {said!r}"
        )
    return number
