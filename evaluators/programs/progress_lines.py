"""Lines in which a program says how it stands: by a pattern, or as JSON.

Whether it is one of them is asked of every line; what it says, which costs more, is read where it is of use.
What is no number, no whole step or no name that can be shown is passed over.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, Literal, Protocol, TypeAlias

from evaluators.programs.bounded_search import BoundedSearch, TookTooLong
from evaluators.programs.output_lines import KEPT
from evaluators.programs.written_number import read_number
from orchestrator.wire.messages import STEP_LIMIT

ProgressForm: TypeAlias = Literal["json"] | dict[Literal["pattern", "file"], str]
Said: TypeAlias = Callable[[], tuple[int, dict[str, float]] | None]
"""Reads the step and the quantities of a line; None if it has none."""

_SEARCHED: Final = 1_000
"""Characters of a line that a pattern is looked for in."""
_TICKS: Final = 2
"""Of a line's search: half a second to a second."""
_GIVEN_UP_AT_MOST: Final = 3
"""Lines; after so many none is searched any more."""
_QUANTITIES: Final = 100
_LONGEST_NAME: Final = 100


class ProgressLines(Protocol):
    """One way to tell them."""

    def among(self, lines: Iterable[str]) -> list[Said]:
        """Those of some lines, in their order."""


def progress_lines(form: ProgressForm) -> ProgressLines:
    """The way that a spec names. Raises `re.error` for what is no pattern."""
    return _ByPattern(form["pattern"]) if form != "json" and "pattern" in form else _ByJson()


class _ByPattern:
    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._search = BoundedSearch(pattern, ticks=_TICKS)
        self._given_up = 0
        self._found = 0

    def among(self, lines: Iterable[str]) -> list[Said]:
        with self._search.ticking():
            found = [match for line in lines if line and (match := self._in(line))]
        # Those whose numbers cannot be read count too: a loss that is **** takes an epoch as well.
        first = self._found + 1
        self._found += len(found)
        return [partial(_of_match, match, number) for number, match in enumerate(found, first)]

    def _in(self, line: str) -> re.Match[str] | None:
        if self._given_up == _GIVEN_UP_AT_MOST:
            return None
        try:
            return self._search.first(line, _SEARCHED)
        except TookTooLong:
            self._give_up()
            return None

    def _give_up(self) -> None:
        self._given_up += 1
        if self._given_up == _GIVEN_UP_AT_MOST:
            print(
                f"progress: to look for `{self._pattern}` took too long in {_GIVEN_UP_AT_MOST} lines, so "
                "nothing more is reported; write it so that it can be found in one way only",
                file=sys.stderr,
            )


class _ByJson:
    def among(self, lines: Iterable[str]) -> list[Said]:
        return [partial(_of_json, line) for line in lines if line.lstrip().startswith("{")]


def _of_match(match: re.Match[str], number: int) -> tuple[int, dict[str, float]] | None:
    # What ends a number in a sentence, and `\S+` takes with it.
    numbers = {name: read_number((said or "").rstrip(",;:")) for name, said in match.groupdict().items()}
    return _reading(numbers.pop("step", number), numbers)


def _of_json(line: str) -> tuple[int, dict[str, float]] | None:
    if len(line) > KEPT:
        return None
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return _reading(said.pop("step", None), said)


def _reading(step: object, said: Mapping[str, object]) -> tuple[int, dict[str, float]] | None:
    whole = _number(step)
    if whole is None or not whole.is_integer() or abs(whole) > STEP_LIMIT:
        return None
    quantities: dict[str, float] = {}
    for name, value in said.items():
        number = _number(value)
        if number is not None and 0 < len(name) <= _LONGEST_NAME and name.isprintable():
            quantities[name] = number
            if len(quantities) == _QUANTITIES:
                break
    return (int(whole), quantities) if quantities else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
