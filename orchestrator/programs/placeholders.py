"""Braces in a program's arguments: which of them stand for a value, and what is written instead.

``{name}`` stands for a parameter, for what is `GIVEN` to every evaluation, or for what its slot has of its
own (`slot_variables`); ``{{`` and ``}}`` for braces. A single word in braces that is no name is a mistake;
other braces, as in a line of awk, stand for themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

GIVEN: Final = (
    *("seed", "trial", "attempt", "directory", "parameters_file", "result_file", "started_in"),
    "continued_from",
)
"""What a placeholder may name beside the parameters."""
SLOTS: Final = "slots"
"""And this, how many of its worker's an evaluation has, where a spec says how many it takes; unless a
parameter is called so."""
NAME_IN_BRACES: Final = r"\{([^{},\"'\n\r\t]+)\}"
_IN_ARGUMENT: Final = re.compile(r"\{\{|\}\}|" + NAME_IN_BRACES)
_WORD: Final = re.compile(r"\w+")


class UnknownPlaceholder(ValueError):
    """A word in the braces of an argument is the name of nothing; ``name`` is that word."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def names_in(argument: str) -> list[str]:
    """What stands in an argument's braces, names or not, in order."""
    return [name for name in _IN_ARGUMENT.findall(argument) if name]


def before_format(name: str) -> str:
    """What stands in braces without a format or conversion behind it, as Python's strings have them."""
    return re.split("[:!]", name)[0].strip()


def is_word(name: str) -> bool:
    """Whether what stands in braces can only be meant as a name."""
    return _WORD.fullmatch(name) is not None


def as_text(value: object) -> str:
    """A parameter's value as a program gets it: text as it is, numbers with every digit they have."""
    return value if isinstance(value, str) else json.dumps(value)


def filled(argument: str, values: Mapping[str, object]) -> str:
    """The argument with its placeholders filled in. Raises `UnknownPlaceholder`."""

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return match[0][0]
        if name in values:
            return as_text(values[name])
        if is_word(name):
            raise UnknownPlaceholder(name)
        return match[0]

    return _IN_ARGUMENT.sub(fill, argument)
