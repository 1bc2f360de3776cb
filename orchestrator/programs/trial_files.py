"""Which files in a trial's folder a program is given the parameters in, and is to write."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

PARAMETERS_FILE: Final = "parameters.json"
RESULT_FILE: Final = "result.json"
"""What they are called where nothing else is said."""


def file_of(part: object) -> str | None:
    """What ``input``, ``output`` or ``progress`` of a command calls its file, if it has one."""
    return part.get("file") if isinstance(part, dict) else None


def parameters_file(input: object, named: Collection[str]) -> str | None:
    """The file that a program reads; ``named`` is what its placeholders name."""
    return file_of(input) or (PARAMETERS_FILE if "parameters_file" in named else None)


def result_file(output: object, named: Collection[str]) -> str | None:
    """The file that its result is read from."""
    return file_of(output) or (RESULT_FILE if output == "json" and "result_file" in named else None)


def another_than(file: str) -> str:
    """What is wrong with a file that the program is to write where its parameters are."""
    return f"expected another file than `{file}`, from which the program reads the parameters"
