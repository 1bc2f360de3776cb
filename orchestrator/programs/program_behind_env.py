"""The program of a command that begins with `env`, which sets variables for it and is nobody's simulator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath


def program_of(command: Sequence[str]) -> str:
    """The first word of a command, or the one behind `env` and the variables that it sets; `env` itself where
    it has options, or another `PATH` on which that one is looked for.
    """
    if PurePath(command[0]).name != "env":
        return command[0]
    for word in command[1:]:
        if word.startswith(("-", "PATH=")):
            break
        if "=" not in word:
            return word
    return command[0]
