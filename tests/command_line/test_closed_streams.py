"""Commands whose standard streams are closed, as some starters of jobs leave them, do their work; and what
cannot be said, as where the device is full, changes no exit code.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.report.following.runs import read_run
from orchestrator.runtime.folder.run_folder import RunFolder

ROOT = Path(__file__).parents[2]
SPEC = """\
experiment: echo
objective: {name: said, goal: maximise}
parameters: {x: {type: float, bounds: [0, 1]}}
algorithm: {name: random}
budget: {trials: 2}
evaluation: {command: [echo, "{x}"]}
workers: {local: 1}
"""


@pytest.mark.parametrize(
    "closed",
    [
        pytest.param(">&-", marks=pytest.mark.long),
        pytest.param("2>&-", marks=pytest.mark.long),
        "<&- >&- 2>&-",
    ],
)
def test_a_run_ends_as_it_would(tmp_path: Path, closed: str) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    line = [
        sys.executable,
        "-m",
        "orchestrator",
        "run",
        str(tmp_path / "spec.yaml"),
        "--logs",
        str(tmp_path / "logs"),
    ]
    subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", *line], cwd=ROOT, timeout=300, check=True)
    (journal,) = tmp_path.glob("logs/*/journal.jsonl")
    assert read_run(RunFolder(journal.parent)).state.tally.completed == 2


@pytest.mark.parametrize("module", ["orchestrator", "evaluators.worker"])
def test_what_is_opened_next_does_not_take_their_place(module: str) -> None:
    """What a library says to descriptor 2 as it dies would stand in the journal, or in a worker's outbox."""
    opened = (
        "import os, runpy, sys\n"
        f"sys.argv[1:] = ['--help']\n"
        f"try: runpy.run_module({module!r}, run_name='__main__')\n"
        "except SystemExit: pass\n"
        "sys.exit(os.open(os.devnull, os.O_RDONLY) < 3)\n"
    )
    subprocess.run(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", opened],
        cwd=ROOT,
        timeout=300,
        check=True,
    )


@pytest.mark.parametrize("lost", ["2>/dev/full", "2>&1 | true"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["rnu"], 2), (["run", "no.yaml"], 2), (["trials", "--last", "x"], 2), (["run", "wing.yaml"], 1)],
)
def test_a_mistake_that_cannot_be_said_ends_with_its_code(
    tmp_path: Path, arguments: list[str], code: int, lost: str
) -> None:
    (tmp_path / "wing.yaml").write_text(SPEC)
    (tmp_path / "logs").touch()
    line = [sys.executable, "-m", "orchestrator", *arguments]
    script = f'set -o pipefail; "$@" {lost}'
    done = subprocess.run(["bash", "-c", script, "bash", *line], cwd=tmp_path, timeout=300, check=False)
    assert done.returncode == code


def test_a_note_that_cannot_be_said_keeps_no_run_from_beginning(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(f"{SPEC}factors: [[x]]\n")
    line = [sys.executable, "-m", "orchestrator", "run", "spec.yaml"]
    script = '"$@" 2>/dev/full'
    done = subprocess.run(["sh", "-c", script, "sh", *line], cwd=tmp_path, timeout=300, check=False)
    assert done.returncode == 0
    (journal,) = tmp_path.glob("logs/*/journal.jsonl")
    assert read_run(RunFolder(journal.parent)).state.tally.completed == 2


def test_events_that_a_full_disk_does_not_take_are_said_to_be_missing(tmp_path: Path) -> None:
    """The run goes on, as it would; what was asked for of one that has ended is all there is to do."""
    (tmp_path / "spec.yaml").write_text(SPEC)

    def with_full_output(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "orchestrator", *arguments]
        return subprocess.run(
            ["sh", "-c", '"$@" >/dev/full', "sh", *line],
            cwd=tmp_path,
            timeout=300,
            check=False,
            capture_output=True,
            text=True,
        )

    ran = with_full_output("run", "spec.yaml", "--json")
    assert ran.returncode == 0
    assert ran.stderr.count("No space left on device. The run goes on without") == 1
    for form in ((), ("--json",)):
        watched = with_full_output("watch", *form)
        assert watched.returncode == 1
        assert watched.stderr == "expected to write to standard output, got: No space left on device\n"
