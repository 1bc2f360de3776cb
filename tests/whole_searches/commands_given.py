"""Commands that show a search or a run, in this process: each is answered, or refused in a sentence."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from orchestrator import cli
from orchestrator.errors import UsageError

DONE, FAILED, REFUSED = 0, 1, 2
"""Exit codes."""
WHY_FAILED = re.compile(r"(invalid:|stopped:|stopped at step) .*")
"""What a trial failed of, or was stopped by, to the end of its line, which may name what is no number."""
NO_NUMBER = re.compile(r"(?<![\w.-])[-+]?(nan|inf)(?![\w.-])", re.IGNORECASE)

LOOKING: Mapping[str, Sequence[str]] = {
    "status": (),
    "status as JSON": ("status", "--format", "json"),
    "best": (),
    "best as JSON": ("best", "--format", "json"),
    "trials": (),
    "trials as CSV": ("trials", "--format", "csv"),
    "export": (),
    "export as JSON": ("export", "--format", "json"),
    "explain": ("explain", "1"),
}
"""By what they are called: a command, and what follows the path; () where the name is the command."""
MODELLING: Mapping[str, Sequence[str]] = {
    "report by command": ("report", "--sensitivity"),
    "sensitivity by command": ("sensitivity", "--format", "json"),
    "predict by command": ("predict",),
    "predict as JSON": ("predict", "--format", "json"),
    "compare by command": ("compare", "--against", "1"),
    "tolerance by command": ("tolerance", "--off", "x=0.05"),
    "spread by command": ("spread", "--prior", "x=0.5+-0.1", "--format", "json"),
    "posterior by command": ("posterior", "--errors", "scaled"),
    "best places by command": ("best", "--places", "3"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """What a command wrote on either stream, and its exit code."""

    code: int
    words: str
    notes: str


def said_by(*arguments: str) -> Said:
    """Of any command, in this process."""
    words, notes = io.StringIO(), io.StringIO()
    with redirect_stdout(words), redirect_stderr(notes):
        code = cli.main(arguments)
    return Said(code, words.getvalue(), notes.getvalue())


def answered(path: Path, command: str, *options: str) -> str:
    """What it says of a search or run. Raises UsageError where it is refused, and ArithmeticError for an
    answer that is none: a crash, what is no number, JSON that is none.
    """
    said = said_by(command, str(path), *options)
    line = " ".join([command, *options])
    if said.code not in (DONE, FAILED, REFUSED) or "Traceback" in said.notes:
        raise ArithmeticError(f"`{line}` ended with {said.code}\n{said.notes}")
    if said.code != DONE:
        if not said.notes.strip():
            raise ArithmeticError(f"`{line}` ended with {said.code}, and said nothing")
        raise UsageError(said.notes.strip())
    if found := NO_NUMBER.search(WHY_FAILED.sub("", said.words)):
        raise ArithmeticError(f"`{line}` says {found.group()}:\n{said.words}")
    if "json" in options:
        json.loads(said.words, parse_constant=_refused)
    return said.words


def _refused(constant: str) -> NoReturn:
    raise ArithmeticError(f"JSON has no {constant}")
