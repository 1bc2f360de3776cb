"""A run whose own workers cannot work is not begun: what they lack is said, as by `orchestrator doctor`."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.running.free_port import free_port
from orchestrator import cli
from orchestrator.report.following.runs import find_run, read_run
from orchestrator.runtime.folder.journal import read_journal
from orchestrator.scheduler.events import FailureArrived

PAPERS = Path(__file__).resolve().parents[2] / "configs" / "papers"
PATIENCE_S = 120.0
ARM = "#!/bin/sh\nsleep 0.2\necho $1\n"


class Desktop:
    """A folder to run things from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def spec(self, **sections: Any) -> None:
        """A random search of a few trials, as spec.yaml."""
        told = {
            "experiment": "probe",
            "objective": {"name": "y", "goal": "maximise"},
            "parameters": {"x": {"type": "float", "bounds": [0, 1]}},
            "evaluation": {"command": ["./arm", "{x}", "{trial}"], "attempts": 1},
        }
        told |= {"algorithm": "random", "budget": {"trials": 4}, **sections}
        (self.folder / "spec.yaml").write_text(json.dumps(told))

    def arm(self, more: str = "") -> Path:
        """The program that the spec names."""
        program = self.folder / "arm"
        program.write_text(ARM + more)
        program.chmod(0o755)
        return program

    def says(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command in this process; the optimiser and the workers of a run have their own."""
        words, notes = io.StringIO(), io.StringIO()
        with chdir(self.folder), redirect_stdout(words), redirect_stderr(notes):
            code = cli.main(arguments)
        return subprocess.CompletedProcess(arguments, code, words.getvalue(), notes.getvalue())

    def starts(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "orchestrator", *arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def began(self) -> bool:
        return any(self.folder.glob("logs/*"))

    def settled(self) -> int:
        if not list(self.folder.glob("logs/*/journal.jsonl")):
            return 0
        run = read_run(find_run(None, self.folder / "logs"))
        return sum(trial.settled for trial in run.state.trials.values())

    def failures(self) -> dict[str, FailureArrived]:
        """By the number of their trial."""
        events = read_journal(next(self.folder.glob("logs/*/journal.jsonl"))).events
        lost = [event for event in events if isinstance(event, FailureArrived)]
        return {event.lease.partition(".")[0]: event for event in lost}


@pytest.fixture
def desktop(tmp_path: Path) -> Desktop:
    return Desktop(tmp_path)


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "the file here.csv\nto supply it: curl -fL --create-dirs -o here.csv https://"),
        ("RMSD,F1\n1,2,3\n", "a sound file here.csv (expected 10 columns, line 2, the last, which may have"),
    ],
)
def test_without_its_data_a_run_is_not_begun(desktop: Desktop, content: str | None, words: str) -> None:
    desktop.spec(evaluation={"evaluator": "evaluators.learning:pic", "options": {"data": "here.csv"}})
    if content is not None:
        (desktop.folder / "here.csv").write_text(content)
    done = desktop.says("run", "spec.yaml", "--plain")
    assert done.returncode == 1
    assert (
        f"expected what `probe` needs on this machine, where its worker runs; it lacks {words}" in done.stderr
    )
    assert "Traceback" not in done.stderr
    assert not desktop.began()


def test_without_its_program_a_run_is_not_begun_and_one_that_was_is_not_resumed(desktop: Desktop) -> None:
    desktop.spec(budget={"trials": 600})
    refused = desktop.says("run", "spec.yaml")
    assert refused.returncode == 1
    assert "it lacks the program ./arm, looked for from" in refused.stderr
    assert not desktop.began()

    program = desktop.arm()
    with desktop.starts("run", "spec.yaml", "--quiet") as run:
        until(lambda: desktop.settled() > 0)
        run.send_signal(signal.SIGINT)
    program.unlink()
    settled = desktop.settled()

    refused = desktop.says("resume", "--plain")
    assert refused.returncode == 1
    assert "it lacks the program ./arm" in refused.stderr
    assert desktop.settled() == settled, "the rest of its budget was not burnt"

    desktop.arm()
    desktop.says("amend", "--trials", str(settled + 3))
    assert desktop.says("resume", "--plain").returncode == 0, "once it is there, the run goes on"
    assert desktop.settled() == settled + 3


def test_who_has_the_spec_validated_is_told_what_the_run_would_lack_here(desktop: Desktop) -> None:
    desktop.spec()
    without = desktop.says("validate", "spec.yaml")
    assert without.returncode == 0, "the spec is valid, wherever it is to be run"
    assert "is valid" in without.stdout
    assert "note: here `orchestrator run` would not begin it; it lacks the program ./arm" in without.stderr
    desktop.arm()
    assert desktop.says("validate", "spec.yaml").stderr == ""


def test_what_workers_elsewhere_have_is_nothing_that_validating_tells(desktop: Desktop) -> None:
    desktop.spec(workers={"local": 0, "remote": 1})
    assert desktop.says("validate", "spec.yaml").stderr == ""


def test_keys_that_nobody_made_are_told_by_validating(desktop: Desktop) -> None:
    desktop.spec(workers={"local": 0, "remote": 1, "listen": "tcp://0.0.0.0:*", "keys": "our keys"})
    make = "keys, one a worker: orchestrator keys new NAME --keys 'our keys'"
    assert f"would not begin it; it lacks {make}" in desktop.says("validate", "spec.yaml").stderr
    desktop.says("keys", "new", "arm", "--keys", "our keys")
    assert desktop.says("validate", "spec.yaml").stderr == ""


def test_what_is_lost_while_a_run_goes_on_costs_its_trials_and_not_the_run(desktop: Desktop) -> None:
    desktop.spec()
    desktop.arm('[ "$2" = 2 ] && rm -- "$0"\nexit 0\n')
    done = desktop.says("run", "spec.yaml", "--plain")
    assert done.returncode == 0, done.stderr
    assert set(desktop.failures()) == {"3", "4"}
    for failure in desktop.failures().values():
        assert failure.kind == "error"
        assert "expected a program, found no `./arm`" in failure.message


@pytest.mark.parametrize(
    ("name", "file"),
    [
        pytest.param("xgboost", "data/Skin_NonSkin.txt", marks=pytest.mark.long),
        ("pic", "data/CASP.csv"),
    ],
)
def test_a_run_whose_workers_are_elsewhere_begins_and_goes_on_whatever_is_lacking(
    desktop: Desktop, name: str, file: str
) -> None:
    if name == "xgboost":
        pytest.importorskip("xgboost")  # without the library, that is what the failure tells of
    address = f"tcp://127.0.0.1:{free_port()}"
    paper = yaml.safe_load((PAPERS / f"{name}.yaml").read_text(encoding="utf-8"))
    changed = {"algorithm": "random", "budget": {"trials": 2}, "workers": {"local": 0, "listen": address}}
    desktop.spec(**paper | changed)
    worker = ("--connect", address, "--evaluator", paper["evaluation"]["evaluator"])
    with desktop.starts("worker", *worker) as elsewhere:
        done = desktop.says("run", "spec.yaml", "--plain")
        elsewhere.terminate()
    assert set(desktop.failures()) == {"1", "2"}, "the run went on to the second"
    said = f"{file}: there is no such file (looked for from {desktop.folder})"
    for failure in desktop.failures().values():
        assert failure.kind == "error"
        assert said in failure.message
    assert said in done.stderr
    assert "No value came" in done.stderr


def test_a_run_that_is_over_is_shown_as_such_whatever_is_lacking_by_now(desktop: Desktop) -> None:
    desktop.spec(budget={"trials": 1})
    program = desktop.arm()
    assert desktop.says("run", "spec.yaml", "--quiet").returncode == 0
    program.unlink()
    assert desktop.says("resume", "--plain").returncode == 0
