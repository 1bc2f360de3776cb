"""What a person recorded before, and types in again as it should have been."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from policies import policy_with
from recorded_plate import BEGUN, PLATE, SPEC, read

from orchestrator.cli import main
from orchestrator.command_line import decisions
from orchestrator.errors import UsageError
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.corrected_records import correcting, is_correction
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import Amend, Record
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.corrections import corrected, corrections
from orchestrator.scheduler.machine import Scheduler

OUTCOMES = {"waste": 1.0, "price": 30.0}
TABLE = "trial,gain,waste,price\n"
FOUND = ev.ResultArrived(
    at=2.0, worker="person", lease="1.1", value=610.0, variance=4.0, extras={**OUTCOMES, "crumb": 3}
)
SPILT = ev.FailureArrived(at=2.0, worker="person", lease="2.1", kind="error", message="spilt", elapsed=1.0)


@pytest.fixture
def plate() -> Scheduler:
    """A plate whose first well was recorded, mistyped, and whose second was said to have failed."""
    scheduler = Scheduler(policy_with(trials=4, attempts=1, outcomes=("waste", "price")))
    for event in (*BEGUN, FOUND, SPILT):
        scheduler.handle(event)
    return scheduler


def correct(plate: Scheduler, *records: Record, name: str) -> str:
    decided = decide_amendment(correcting(records, SPEC, plate.state), SPEC, plate.state, 3.0, name)
    for event in decided.events:
        plate.handle(event)
    return decided.sentence


def test_what_is_not_said_anew_stays_as_it_was(plate: Scheduler) -> None:
    told = correcting([Record(1, 61.0)], SPEC, plate.state)
    before = {**OUTCOMES, "crumb": 3}
    known = ev.KnownResult(parameters={"acid": 0.2}, value=61.0, variance=4.0, outcomes=before)
    assert told == Amend(results=[known], forget=[1], reason="mistyped")
    anew = Record(1, 61.0, 1.0, extras={"price": 50.0, "crumb": 2})
    (known,) = correcting([anew], SPEC, plate.state).results
    assert (known.variance, known.broken) == (1.0, ("price <= 40",))
    assert known.outcomes == {"waste": 1.0, "price": 50.0, "crumb": 2}


def test_a_correction_is_corrected_as_well(plate: Scheduler) -> None:
    said = correct(plate, Record(1, 16.0), name="first")
    assert said == "trial 1 is corrected, and the model learns anew"
    assert corrections(plate.state)[1].value == 16.0
    assert correcting([Record(1, 61.0)], SPEC, plate.state).forget == [0]
    assert correct(plate, Record(1, 61.0), name="second") == said
    assert corrections(plate.state)[1].value == 61.0


def test_what_is_no_outcome_stays_as_it_was_corrected_too(plate: Scheduler) -> None:
    correct(plate, Record(1, 61.0, extras={"crumb": 4}), name="first")
    correct(plate, Record(1, 62.0), name="second")
    assert corrections(plate.state)[1].extras == {**OUTCOMES, "crumb": 4}


def test_what_it_breaks_by_then_is_what_the_trial_breaks(plate: Scheduler) -> None:
    correct(plate, Record(1, 61.0, extras={"price": 50.0}), name="first")
    assert plate.state.trials[1].broken == ()
    correction = replace(corrections(plate.state)[1], by="Ada")
    anew = corrected(plate.state.trials[1], correction)
    assert (anew.broken, anew.by) == (("price <= 40",), "Ada")


def test_what_a_robot_measured_is_no_record_to_correct(plate: Scheduler) -> None:
    plate.handle(ev.WorkerJoined(at=2.0, worker="robot", slots=1))
    plate.handle(ev.ResultArrived(at=2.5, worker="robot", lease="4.1", value=5.0, extras=OUTCOMES))
    assert plate.state.trials[4].settled
    assert [is_correction(Record(number, 61.0), plate.state) for number in (1, 3, 4)] == [True, False, False]


def test_what_lies_outside_amended_bounds_is_corrected_once_these_are_wider(plate: Scheduler) -> None:
    bounds = {"acid": (0.5, 1.0)}
    plate.handle(ev.BoundsAmended(at=2.5, bounds=bounds, by="", request="narrowed"))
    with pytest.raises(UsageError, match=r"trial 1 is outside the amended bounds .* amend --bounds"):
        correcting([Record(1, 61.0)], SPEC, plate.state)


def test_what_was_said_to_have_failed_may_have_a_value_after_all(plate: Scheduler) -> None:
    with pytest.raises(UsageError, match="trial 2: expected the outcome `waste`"):
        correcting([Record(2, 50.0)], SPEC, plate.state)
    said = correct(plate, Record(1, 61.0), Record(2, 50.0, extras=OUTCOMES), name="both")
    assert said == "trial 1, trial 2 are corrected, and the model learns anew"
    assert {number: one.value for number, one in corrections(plate.state).items()} == {1: 61.0, 2: 50.0}


def test_rows_that_are_otherwise_now_are_refused_unless_they_are_to_correct(tmp_path: Path) -> None:
    table = f"{TABLE}1,61,1,30\n3,50,1,30\n"
    found = read(tmp_path, table, FOUND, correct=True)
    assert found.decisions == (Record(1, 61.0, extras=OUTCOMES), Record(3, 50.0, extras=OUTCOMES))
    assert read(tmp_path, f"{TABLE}1,610,1,30\n", FOUND, correct=True).known == 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run that nobody works on, of which the first well is recorded; beside it a file of one more."""
    folder = tmp_path / "logs" / "plate-1"
    folder.mkdir(parents=True)
    (folder / "spec.yaml").write_text(PLATE)
    journal = JournalWriter.create(folder / "journal.jsonl", "test")
    journal.append([*BEGUN, FOUND])
    journal.commit()
    journal.close()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "read.csv").write_text(f"{TABLE}1,61,1,30\n3,50,1,30\n")
    return folder


def test_who_types_a_value_in_again_hears_first_that_there_is_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "1", "--value", "61"]) == 2
    said = "trial 1 is completed already, with 610; if that was typed wrongly, say --correct beside this"
    assert said in capsys.readouterr().err
    assert main(["record", "3", "--value", "61"]) == 2
    assert "expected the outcome `waste`, a finite number" in capsys.readouterr().err


def test_where_a_correction_is_refused_nothing_else_of_the_file_is_recorded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(decisions, "_amend", lambda *_: 1)
    assert main(["record", "--results", "read.csv", "--correct"]) == 1
    assert "nothing else is recorded, either: once that is put right" in capsys.readouterr().err
    assert Desk(RunFolder(folder)).waiting() == []


def test_who_corrects_a_file_leaves_an_amendment_beside_what_is_new(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "--results", "read.csv"]) == 2
    assert "trial 1 is completed already, with 610; if that was typed wrongly, say --correct" in (
        capsys.readouterr().err
    )
    assert Desk(RunFolder(folder)).waiting() == []
    assert main(["record", "--results", "read.csv", "--correct"]) == 0
    assert "trial 1 is corrected, and the model learns anew\n" in capsys.readouterr().err
    amendment, recorded = (waiting.request for waiting in Desk(RunFolder(folder)).waiting())
    assert isinstance(amendment, Amend)
    assert [known.value for known in amendment.results] == [61.0]
    assert recorded == Record(3, 50.0, extras=OUTCOMES)


def test_what_stands_so_already_is_not_corrected_once_more(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "1", "--value", "610", "--extra", "price=30", "--correct"]) == 0
    assert "trial 1 is recorded with 610 already\n" in capsys.readouterr().err
    assert Desk(RunFolder(folder)).waiting() == []
    assert main(["record", "1", "--value", "610", "--extra", "price=35", "--correct"]) == 0
    (amendment,) = (waiting.request for waiting in Desk(RunFolder(folder)).waiting())
    assert isinstance(amendment, Amend)
    assert [known.outcomes for known in amendment.results] == [{"waste": 1.0, "price": 35.0, "crumb": 3}]
