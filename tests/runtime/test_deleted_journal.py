"""A run's folder that is deleted, or brought back from a backup, while the run goes on.

Its writer would go on for days in a file that nobody can open, acknowledge every result, and end with 0.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from run_lab import RunLab, checked, spec

from orchestrator.errors import JournalError
from orchestrator.runtime.folder.journal import JournalWriter, read_journal
from orchestrator.scheduler.events import Event, ResultArrived, RunStarted, WorkerLeft

BEFORE: list[Event] = [RunStarted(at=0.0, run="r", wall="noon")]
AFTER: list[Event] = [WorkerLeft(at=4.0, worker="w", lost=True, reason="gone")]


def journal_at(path: Path) -> JournalWriter:
    writer = JournalWriter.create(path, "test")
    writer.append(BEFORE)
    writer.commit()
    return writer


def test_a_run_whose_folder_is_deleted_puts_it_back_stops_and_can_be_resumed(lab: RunLab) -> None:
    run = lab.run(spec("gated", options={"folder": str(lab.directory)}, budget={"trials": 20}))
    for trial in range(1, 6):
        (lab.directory / f"open-{trial}").touch()
    run.await_events(ResultArrived, 5)
    shutil.rmtree(run.folder.path, ignore_errors=True)
    (lab.directory / "open").touch()
    run.ends(1)
    assert "was put back" in " ".join(run.said.split())
    assert "Traceback" not in run.said
    lab.all_gone()
    assert sum(isinstance(event, ResultArrived) for event in read_journal(run.folder.journal).events) >= 5

    again = lab.resume(run.folder)
    again.ends(0)
    state = checked(run.folder)
    assert len(state.trials) == 20


def test_a_run_whose_folder_cannot_be_put_back_says_so(lab: RunLab) -> None:
    run = lab.run(spec("slow", options={"seconds": 0.05}, budget={"trials": 1000}))
    run.await_events(ResultArrived, 2)
    lab.logs.rename(lab.logs.with_name("elsewhere"))
    lab.logs.write_text("a file where the folder was")
    shutil.rmtree(lab.logs.with_name("elsewhere"), ignore_errors=True)
    run.ends(1)
    assert "cannot be put back" in " ".join(run.said.split())
    assert "Traceback" not in run.said


def test_a_journal_that_was_deleted_is_put_back_whole_and_not_written_to_again(tmp_path: Path) -> None:
    path = tmp_path / "run" / "journal.jsonl"
    path.parent.mkdir()
    writer = journal_at(path)
    shutil.rmtree(path.parent)
    writer.append(AFTER)
    with pytest.raises(JournalError, match=r"was deleted, .*was put back, .*orchestrator resume"):
        writer.commit()
    writer.append(AFTER)
    with pytest.raises(JournalError):
        writer.commit()
    writer.close()
    assert read_journal(path).events == (*BEFORE, *AFTER)


def test_what_was_put_in_its_place_is_left_as_it_is(tmp_path: Path) -> None:
    """As by an editor that saves, or a backup that is brought back."""
    path = tmp_path / "journal.jsonl"
    writer = journal_at(path)
    Path(shutil.copy(path, tmp_path / "backup")).replace(path)
    writer.append(AFTER)
    with pytest.raises(JournalError, match=r"is in .*journal\.jsonl\.deleted: give it its name back"):
        writer.commit()
    writer.close()
    assert read_journal(path).events == tuple(BEFORE)
    assert read_journal(tmp_path / "journal.jsonl.deleted").events == (*BEFORE, *AFTER)


def test_where_it_cannot_be_put_back_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "run" / "journal.jsonl"
    path.parent.mkdir()
    writer = journal_at(path)
    shutil.rmtree(path.parent)
    path.parent.write_text("a file where the folder was")
    writer.append(AFTER)
    with pytest.raises(JournalError, match="cannot be put back: File exists"):
        writer.commit()
    writer.close()
