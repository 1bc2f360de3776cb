"""Several people decide over a run that nobody works on, at the same moment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.desk import Desk
from orchestrator.scheduler import events as ev

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {x: {type: float, bounds: [0, 1]}}
algorithm: random
budget: {trials: 4}
evaluation: {evaluator: "math:sqrt", approval: true}
"""
AT_A_SIGN = """\
import sys
from orchestrator import cli
import orchestrator.report.following.runs
import orchestrator.runtime.requests.left_decisions, orchestrator.runtime.requests.left_amendments
import orchestrator.command_line.amend_options
print("ready", flush=True)
sys.stdin.readline()
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """Trial 1 waits for approval, trial 2 has a value, and nobody works on it."""
    made = RunFolder(tmp_path / "wing-1")
    made.path.mkdir()
    made.write_spec(SPEC)
    journal = JournalWriter.create(made.journal, "test", spec=SPEC)
    journal.append(
        [
            ev.RunStarted(at=0.0, run="wing-1", wall="", points=({"x": 0.5}, {"x": 0.25})),
            ev.TrialApproved(at=0.5, trial=2),
            ev.WorkerJoined(at=0.5, worker="w", slots=1),
            ev.ResultArrived(at=1.0, worker="w", lease="2.1", value=1.0),
        ]
    )
    journal.commit()
    journal.close()
    return made


def at_once(count: int, arguments: Sequence[str]) -> list[tuple[int, str]]:
    """The exit code and the words of so many processes of the same command."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", AT_A_SIGN, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for _ in range(count)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("now\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120)[1] for process in started]
    return [(process.returncode, words) for process, words in zip(started, said, strict=True)]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("approve", "1"), "the same of trial 1 waits already"),
        (("amend", "--forget", "2", "--reason", "unplugged"), "trial 2 is forgotten already: unplugged"),
    ],
)
def test_one_is_left_and_the_others_are_told_of_it(
    folder: RunFolder, command: tuple[str, ...], why: str
) -> None:
    name, *more = command
    done = at_once(3, [name, str(folder.path), *more])
    assert len(Desk(folder).waiting()) == 1
    assert [code for code, _ in done] == [0] * 3
    assert sum(why in words for _, words in done) == 2
