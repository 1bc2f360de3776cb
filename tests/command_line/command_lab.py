"""The command line as a shell sees it, beside a run that was cut off."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from orchestrator.cli import main
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.scheduler import events as ev

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters:
  span: {type: float, bounds: [1.0, 9.0], unit: m}
budget: {trials: 3}
algorithm: random
evaluation: {evaluator: "math:sqrt"}
"""


def orchestrator(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "orchestrator", *arguments],
        cwd=cwd,
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb", **environment},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=300,
        check=False,
    )


def said(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command that only looks, or asks for something, in this process."""
    words, notes = io.StringIO(), io.StringIO()
    with chdir(cwd), redirect_stdout(words), redirect_stderr(notes):
        code = main(arguments)
    return subprocess.CompletedProcess(arguments, code, words.getvalue(), notes.getvalue())


def python(program: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)


def interrupted_run(folder: Path) -> None:
    """A run that was cut off after two of three trials."""
    folder.mkdir(parents=True)
    (folder / "spec.yaml").write_text(SPEC)
    journal = JournalWriter.create(folder / "journal.jsonl", "test")
    made = [ev.Suggested(parameters={"span": 1.5}, why={"source": "random"})]
    journal.append(
        [
            ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00"),
            ev.SuggestionsMade(at=0.1, ask=1, suggestions=tuple(made)),
            ev.WorkerJoined(at=0.2, worker="w", slots=1),
            ev.ResultArrived(at=1.0, worker="w", lease="1.1", value=4.25, elapsed=0.8),
            ev.SuggestionsMade(at=1.1, ask=2, suggestions=tuple(made)),
            ev.ResultArrived(at=2.0, worker="w", lease="2.1", value=5.5, elapsed=0.8),
        ]
    )
    journal.commit()
    journal.close()
