"""A command given in the test's own process: another process costs more than most of what is asked of one."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from pathlib import Path

from orchestrator import cli


@dataclass(frozen=True)
class Done:
    """What a command ended with, and what it said."""

    returncode: int
    stdout: str
    stderr: str


def done_here(folder: Path, *arguments: str) -> Done:
    """What comes of it in a folder."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.main(arguments)
    return Done(code, out.getvalue(), err.getvalue())
