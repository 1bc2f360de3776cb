"""What was decided or amended while nobody worked on a run is seen in its status until it is taken up."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always

from orchestrator import cli
from orchestrator.report.following import run_so_far
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import (
    Amend,
    Approve,
    Budgets,
    Record,
    RecordFailure,
    Refuse,
    Request,
)
from orchestrator.scheduler.event_parts import KnownResult


@pytest.fixture
def interrupted(tmp_path: Path) -> RunFolder:
    spec = SPEC.replace('evaluator: "wings:drag"', 'approval: true, evaluator: "wings:drag"')
    return RecordedRun(spec).begin().answer_asks().write(tmp_path / "logs" / "wing-1")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(arguments) == 0
    return capsys.readouterr().out


def test_a_run_that_nobody_works_on_shows_what_waits_for_its_next_life(
    interrupted: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(interrupted.path)
    assert "left" not in said(capsys, "status", path)
    said(capsys, "approve", path, "1", "--by", "Ada")
    said(capsys, "refuse", path, "2", "--reason", "too close to the window")
    said(capsys, "amend", path, "--trials", "40", "--bounds", "span=1.0,1.5")

    words = said(capsys, "status", path)
    assert (
        "left    trial 1 is to be approved, by Ada\n"
        "        trial 2 is to be refused: too close to the window\n"
        "        to be amended: span in [1, 1.5], trials 40\n"
        f"        taken up by: orchestrator resume {path}\n"
    ) in words
    (row,) = json.loads(f"[{said(capsys, 'status', path, '--format', 'json')}]")
    assert row["left"] == 3


def test_a_run_that_has_ended_says_so_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 6")).begin().settle(6, always(1.0))
    path = str(run.write(tmp_path / "logs" / "wing-1").path)
    said(capsys, "amend", path, "--trials", "9")
    words = said(capsys, "status", path)
    assert "ended: every trial of the budget is settled" in words
    assert "left    to be amended: trials 9\n" in words


def test_a_known_result_is_forgotten_by_its_number(
    interrupted: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(interrupted.path)
    for drag in (1, 2):
        said(capsys, "amend", path, "--result", f"span=2,sweep=20,ribs=7,skin=foam,drag={drag}")
    assert cli.main(("amend", path, "--forget", "-1", "--reason", "unplugged")) == 0
    assert "what came of known result -1 is forgotten" in capsys.readouterr().err
    assert "what came of known result -1 forgotten (unplugged)" in said(capsys, "status", path)


@pytest.mark.parametrize("command", ["best", "trials", "export"])
def test_whoever_looks_at_values_is_told_which_are_still_to_be_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 6")).begin().settle(6, always(1.0))
    path = str(run.write(tmp_path / "logs" / "wing-1").path)
    assert cli.main((command, path)) == 0
    assert "note" not in capsys.readouterr().err
    said(capsys, "amend", path, "--forget", "1", "--reason", "door")
    assert cli.main((command, path)) == 0
    assert capsys.readouterr().err == (
        "note: not taken up yet, and so not in this: to be amended: what came of trial 1 forgotten (door). "
        f"orchestrator resume {path} does\n"
    )


def test_a_file_that_is_no_request_is_named(
    interrupted: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(interrupted)
    desk.path.mkdir()
    (desk.path / "12-3.json").write_text("{")
    assert "left    12-3.json: expected a request, got a file that is none" in said(
        capsys, "status", str(interrupted.path)
    )


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Approve(3), "trial 3 is to be approved"),
        (Refuse(3, "hot", "Ada"), "trial 3 is to be refused, by Ada: hot"),
        (Refuse(3, "spilt", forget=True), "trial 3 is to be refused, and that forgotten: spilt"),
        (Record(3, 2.5), "trial 3 is to be recorded with 2.5"),
        (RecordFailure(3, "it broke"), "trial 3 is to be recorded as failed: it broke"),
        (Amend(paused=True, reason="lunch", by="Ada"), "to be amended, by Ada: paused (lunch)"),
        (Amend(paused=False), "to be amended: to go on"),
        (
            Amend(forget=[2, 5], reason="door"),
            "to be amended: what came of trial 2, trial 5 forgotten (door)",
        ),
        (Amend(results=[KnownResult(parameters={}, value=1.0)]), "to be amended: 1 known result added"),
        (Amend(budgets=Budgets(lifted=("target",))), "to be amended: no target"),
        (Amend(bounds={"x": (0, 1)}, reason="it burned"), "to be amended: x in [0, 1] (it burned)"),
    ],
)
def test_each_kind_is_told_in_words(request_: Request, words: str) -> None:
    assert request_words(request_) == words


def test_all_that_wait_are_approved_by_one_reading_of_what_happened(
    interrupted: RunFolder, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[RunFolder] = []
    really = run_so_far.run_so_far

    def counted(folder: RunFolder) -> run_so_far.RunSoFar:
        read.append(folder)
        return really(folder)

    monkeypatch.setattr(run_so_far, "run_so_far", counted)
    said(capsys, "approve", str(interrupted.path))
    assert len(Desk(interrupted).waiting()) == 2
    assert len(read) == 2, "once for which wait, once for whether that can count"


def test_what_is_decided_without_a_name_is_of_one_run_though_another_is_the_latest_meanwhile(
    interrupted: RunFolder, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = SPEC.replace('evaluator: "wings:drag"', 'approval: true, evaluator: "wings:drag"')
    other = RecordedRun(spec).begin().answer_asks().write(interrupted.path.parent / "wing-2")
    os.utime(other.journal, (1.0, 1.0))
    really = run_so_far.run_so_far

    def read_while_the_other_goes_on(folder: RunFolder) -> run_so_far.RunSoFar:
        run = really(folder)
        os.utime(interrupted.journal, (2.0, 2.0))
        os.utime(other.journal)
        return run

    monkeypatch.setattr(run_so_far, "run_so_far", read_while_the_other_goes_on)
    said(capsys, "approve", "--logs", str(other.path.parent))
    assert len(Desk(interrupted).waiting()) == 2
    assert Desk(other).waiting() == [], "nobody looked at these"


def test_of_a_run_that_has_not_begun_nothing_is_left_in_vain(
    interrupted: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupted.journal.write_bytes(b"")
    path = str(interrupted.path)
    assert cli.main(["amend", path, "--pause"]) == 1
    assert "expected a run that had begun" in capsys.readouterr().err
    assert Desk(interrupted).waiting() == []
    assert "there is nothing to resume: orchestrator run SPEC" in said(capsys, "fsck", path)
