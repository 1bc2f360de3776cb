"""Which files in a trial's folder a program is given the parameters in, and is to write."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePath
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


def result_files(output: object, named: Collection[str]) -> list[str]:
    """The files that its result is read from, of which `{result_file}` names the first."""
    if isinstance(output, dict) and "patterns" in output:
        each = (file_of(form) for form in output["patterns"].values())
        return list(dict.fromkeys(file for file in each if file is not None))
    if (file := file_of(output)) is not None:
        return [file]
    in_json = output == "json" or (isinstance(output, dict) and output.keys() <= {"fails", "key"})
    return [RESULT_FILE] if in_json and "result_file" in named else []


def failing_file(output: object) -> str | None:
    """The file that is looked through for what says that the program failed, if that has one of its own."""
    return file_of(output.get("fails")) if isinstance(output, dict) else None


def another_than(file: str) -> str:
    """What is wrong with a file that the program is to write where its parameters are."""
    return f"expected another file than `{file}`, from which the program reads the parameters"


def is_pattern_within(pattern: str) -> bool:
    """Whether a pattern, as `Path.glob` has them, names files and directories inside a folder alone."""
    path = PurePath(pattern)
    whole = bool(path.parts) and not path.is_absolute() and ".." not in path.parts
    return whole and all(part == "**" or "**" not in part for part in path.parts)
