"""A text that patterns are looked for in: what a program printed, or one of the files that it wrote."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from evaluators.errors import EvaluationError, NothingFound
from evaluators.programs.last_words import last_line, shown_line

_SPACES: Final = r"[ \t]+"
_LOOKED_THROUGH: Final = 8_000
"""Characters of the end, for what is shown where a heading is not there."""


class Said(NamedTuple):
    """Such a text, and how it is spoken of."""

    told: str
    """What the program was to do, as to print it."""
    text: str
    nothing: str
    """What is said of it where it is empty."""
    otherwise: str = ""
    """Where else what is not found in it is looked for: standard error, beside standard output."""
    lines_above: int = 0
    """That the text began with, and which are not looked through."""

    @property
    def texts(self) -> tuple[str, ...]:
        """In the order in which they are looked through for a pattern."""
        return tuple(text for one in self._each for text in looked_through(one))

    @property
    def _each(self) -> tuple[str, ...]:
        return (self.text, self.otherwise) if self.otherwise else (self.text,)

    @property
    def shown(self) -> str:
        """The one whose end is shown where nothing is found."""
        return self.text if self.text.strip() else self.otherwise

    def part(self, form: Mapping[str, Any]) -> Said:
        """What a form looks through: all, or what stands ``below`` a heading, perhaps ``above`` another.

        Raises `EvaluationError` (invalid) as these do.
        """
        if (heading := form.get("below")) is None:
            return self
        text = self.below(heading)
        return text if (end := form.get("above")) is None else text.above(end)

    def below(self, heading: str) -> Said:
        """What stands below the last line with a heading, whose words may have any spaces between them.

        Raises `NothingFound` where there is none.
        """
        words = _words(heading)
        for text in self._each:
            ends = deque((found.end() for found in re.finditer(words, text)), maxlen=1)
            if ends:
                start = text.find("\n", ends[0]) + 1 or len(text)
                told = f"{self.told}, below the last line with `{heading}`,"
                return Said(told, text[start:], "nothing stands there", "", len(text[:start].splitlines()))
        raise NothingFound(self._not_there(heading))

    def above(self, heading: str) -> Said:
        """What stands above the first line with a heading.

        Raises `EvaluationError` (invalid) where there is none: of what ends before, more may be missing.
        """
        if (found := re.search(_words(heading), self.text)) is None:
            raise EvaluationError("invalid", self._not_there(heading))
        told = f"{self.told.removesuffix(',')} and above the next with `{heading}`,"
        return self._replace(told=told, text=self.text[: self.text.rfind("\n", 0, found.start()) + 1])

    def _not_there(self, heading: str) -> str:
        return f"expected {self.told} a line with `{heading}`; {self._instead_of(_words(heading))}"

    def _instead_of(self, words: str) -> str:
        """A line with the same in other letters, or else the last."""
        alike = re.compile(words, re.IGNORECASE)
        for text in self._each:
            if (found := alike.search(text)) is not None:
                start = text.rfind("\n", 0, found.start()) + 1
                return f"there is {shown_line(text[start:].partition(chr(10))[0])}"
        return last_line(self.shown[-_LOOKED_THROUGH:].encode(), self.nothing)


def looked_through(text: str) -> tuple[str, ...]:
    """A text with ends of lines that `$` is before, and where some are those of Windows, as it is: a pattern
    may name these. In the other order a line without an end, as the last may be, would hide all before it.
    """
    return (text.replace("\r\n", "\n"), text) if "\r\n" in text else (text,)


def _words(heading: str) -> str:
    return _SPACES.join(map(re.escape, heading.split()))
