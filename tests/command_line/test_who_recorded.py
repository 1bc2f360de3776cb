"""Who recorded a result, refused a trial or corrected a value is kept, and told beside the trial."""

from __future__ import annotations

from pathlib import Path

import pytest
from policies import policy_with
from recorded_plate import BEGUN, PLATE, SPEC

from orchestrator.cli import main
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.corrected_records import correcting
from orchestrator.runtime.requests.decisions import decide
from orchestrator.runtime.requests.kinds import Decision, Record, RecordFailure, Refuse
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.corrections import corrected, corrections
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.machine import Scheduler

OUTCOMES = {"waste": 1.0, "price": 30.0}
SAID = (
    Record(1, 610.0, extras=OUTCOMES, by="Ada"),
    RecordFailure(2, "spilt", by="Ben"),
    Refuse(3, "no acid left", by="Cem"),
)


def happened(*said: Decision) -> tuple[Scheduler, list[Event]]:
    scheduler = Scheduler(policy_with(trials=4, attempts=1, outcomes=("waste", "price")))
    events: list[Event] = [*BEGUN]
    for event in events:
        scheduler.handle(event)
    for one in said:
        event = decide(one, scheduler.state, 2.0, str(one), WantedResults())
        assert isinstance(event, Event)
        scheduler.handle(event)
        events.append(event)
    return scheduler, events


def test_it_is_kept_with_the_trial() -> None:
    scheduler, _ = happened(*SAID)
    assert [scheduler.state.trials[number].by for number in (1, 2, 3)] == ["Ada", "Ben", "Cem"]


def test_a_correction_is_of_whoever_corrects() -> None:
    scheduler, _ = happened(*SAID)
    state = scheduler.state
    request = correcting([Record(1, 61.0)], SPEC, state, "Dua")
    for event in decide_amendment(request, SPEC, state, 3.0, "a").events:
        scheduler.handle(event)
    now = corrected(state.trials[1], corrections(state)[1])
    assert (now.value, now.by) == (61.0, "Dua")


def test_it_is_a_column_a_word_of_the_story_and_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs" / "plate-1"
    folder.mkdir(parents=True)
    (folder / "spec.yaml").write_text(PLATE)
    journal = JournalWriter.create(folder / "journal.jsonl", "test")
    journal.append(happened(*SAID)[1])
    journal.commit()
    journal.close()
    monkeypatch.chdir(tmp_path)
    assert main(["trials", "--format", "csv"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    at = header.split(",").index("by")
    assert [row.split(",")[at] for row in rows] == ["Ada", "Ben", "Cem", ""]
    assert main(["explain", "plate-1", "1"]) == 0
    assert "for lease 1.1 by Ada" in capsys.readouterr().out
    assert main(["explain", "plate-1", "3"]) == 0
    assert "trial 3 was refused by Cem: no acid left" in capsys.readouterr().out


def test_what_waits_to_be_recorded_is_said_with_it() -> None:
    said = [request_words(one) for one in SAID]
    assert said == [
        "trial 1 is to be recorded with 610, by Ada",
        "trial 2 is to be recorded as failed, by Ben: spilt",
        "trial 3 is to be refused, by Cem: no acid left",
    ]
