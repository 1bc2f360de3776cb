"""What a program says that means it failed, though it ended well: that it did not converge, for example."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from evaluators.errors import EvaluationError
from evaluators.programs.bounded_search import BoundedSearch, TookTooLong
from evaluators.programs.decoded import decoded
from evaluators.programs.last_words import shown_line
from evaluators.programs.pattern_result import SEARCH_TICKS, took_too_long
from evaluators.programs.program import Ended
from evaluators.programs.said import looked_through

BY_WHICH = ", by which it failed"
"""How what is said of such a program ends."""


def check_said(pattern: str, program: str, ended: Ended, written: Iterable[tuple[str, str]]) -> None:
    """Raises `EvaluationError` (error) where a pattern is found in what a program printed, or in one of the
    files that it has ``written``: their names and texts, which are read where it printed none, for who failed
    may have written none.
    """
    if said := what_it_said(pattern, program, ended, written):
        raise EvaluationError("error", f"`{program}` {said}{BY_WHICH}")


def what_it_said(pattern: str, program: str, ended: Ended, written: Iterable[tuple[str, str]]) -> str:
    """Where that is found, and the line, as in ``printed 'it diverged'``; empty where it is not.

    Raises `EvaluationError` (invalid) for a pattern that is looked for too long.
    """
    printed = [("printed", decoded(said)) for said in (ended.stdout, ended.stderr)]
    for did, text in chain(printed, ((f"wrote to {file}", text) for file, text in written)):
        search = BoundedSearch(pattern, re.MULTILINE, ticks=SEARCH_TICKS)
        try:
            with search.ticking():
                found = next(filter(None, map(search.last, looked_through(text))), None)
        except TookTooLong:
            raise took_too_long(pattern, f"`{program}` not to have {did}") from None
        if found is not None:
            return f"{did} {shown_line(_line_of(found))}"
    return ""


def _line_of(found: re.Match[str]) -> str:
    """The first that it is in."""
    text, start = found.string, found.start()
    end = text.find("\n", start)
    return text[text.rfind("\n", 0, start) + 1 : None if end < 0 else end]
