"""What people had left for a next life, of trials that have other numbers once the journal is mended."""

from __future__ import annotations

from pathlib import Path

import pytest
from damaged_journals import folder_of_a_run, fsck, worth, write

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import Amend, Record, Refuse
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import Event, RunStarted, SuggestionsMade, TrialRefused, WorkerJoined


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folder_of_a_run(tmp_path)


def test_what_was_said_of_a_trial_is_not_taken_for_said_of_the_one_that_has_its_number_now(
    folder: RunFolder,
) -> None:
    desk = Desk(folder)
    taken = desk.leave(Refuse(trial=4, reason="no"))
    made = [Suggested(parameters={"span": span}) for span in (0.2, 0.3, 0.4)]
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        WorkerJoined(at=1.0, worker="ada", slots=4),
        *(
            SuggestionsMade(at=3.0 + ask, ask=ask, suggestions=(one,), first_trial=1 + ask)
            for ask, one in enumerate(made, start=1)
        ),
        TrialRefused(at=9.0, trial=4, reason="no", request=taken.stem),
    ]
    lines = write(folder, events)
    folder.journal.write_bytes(b"".join([*lines[:3], *lines[4:]]))
    desk.leave(Record(trial=1, value=worth({"span": 0.5})))
    recorded = desk.leave(Record(trial=3, value=worth(made[1].parameters), by="ann"))
    refused, forgotten = desk.leave(Refuse(trial=2, reason="no")), desk.leave(Amend(forget=[1, 4]))
    said = fsck(folder, "--repair")
    assert said.returncode == 0, said
    assert [waiting.request.trial for waiting in desk.waiting()] == [4, 1]  # type: ignore[union-attr]
    assert "to be recorded with 0.6, by ann: trial 3 has another number by now, or is lost" in said.stderr
    for path in (recorded, refused, forgotten):
        answer = desk.await_answer(path, 0.0)
        assert answer is not None
        assert not answer.accepted
