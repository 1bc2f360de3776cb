"""How many slots of a worker trials take is seen where evaluations take several, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always, parameters

from orchestrator.report.following.runs import read_run
from orchestrator.report.following.standing import Standing
from orchestrator.report.tables.status import status_table, status_words
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.terminal.screen import screen
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.job_events import JobAsked

BY_RIBS = SPEC.replace("timeout: 60 s", "slots: ribs").replace("local: 2", "local: 16, remote: 4")
HOLDER: dict[str, object] = {"host": "lab", "pid": 7}


@pytest.fixture
def run() -> RecordedRun:
    """Of trials that take 7, 3 and 8 slots, of one worker with 16."""
    run = RecordedRun(BY_RIBS).begin(workers=1, slots=16)
    for ribs in (7, 3, 8):
        suggests(run, ribs)
    return run


def suggests(run: RecordedRun, ribs: int) -> None:
    ask = run.asks.popleft()
    made = (ev.Suggested(parameters={**parameters(ask.first_trial), "ribs": ribs}),)
    run.happen(ev.SuggestionsMade(at=run.at + 1.0, ask=ask.ask, suggestions=made))


def words(run: RecordedRun) -> str:
    return status_words(Standing("wing-1", "logs/wing-1", run.view(), 0, 0), HOLDER)


def test_status_and_the_screen_say_how_many_are_taken(run: RecordedRun) -> None:
    expected = "trial 1 on 7 slots for 2 s, trial 2 on 3 slots for 1 s; 10 of 16 slots taken; 0 done"
    assert expected in " ".join(words(run).replace("2.0 s", "2 s").replace("1.0 s", "1 s").split())
    table = status_table(Standing("wing-1", "logs/wing-1", run.view(), 0, 0), HOLDER)
    told = dict(zip(table.columns, table.rows[0], strict=True))
    assert (told["slots"], told["slots_taken"]) == (16, 10)
    shown = "\n".join(line.plain for line in screen(run.view(), 100, 40))
    assert "10 of 16 slots" in shown


def test_what_waits_for_room_is_said(run: RecordedRun) -> None:
    waits = "trial 3 waits: it takes 8 slots of a worker, and none has more than 6 free: 2 trials running"
    assert waits in words(run)


def test_what_waits_for_a_larger_worker_is_said() -> None:
    run = RecordedRun(BY_RIBS).begin(workers=1, slots=2)
    suggests(run, 7)
    suggests(run, 7)
    assert "trial 1 waits: it takes 7 slots of a worker, and the largest that is here has 2" in words(run)


def test_why_no_job_is_submitted_for_what_is_larger_is_said() -> None:
    run = RecordedRun(BY_RIBS).begin(workers=0)
    run.happen(JobAsked(at=run.at, number=1, worker="job-1", name="wing-1", address="tcp://here:5556"))
    run.happen(ev.WorkerJoined(at=run.at, worker="job-1", slots=4))
    suggests(run, 7)
    run.happen(ev.WorkerLeft(at=run.at, worker="job-1", lost=False, reason="drained"))
    assert "trial 1 takes 7 slots of a worker, and those of jobs had 4 slots: have larger ones" in words(run)


def test_a_worker_is_busy_by_its_slots(run: RecordedRun) -> None:
    run.settle(2, always(1.0), every_s=10.0)
    (line,) = run.view().crew.workers
    assert 0.5 < line.busy < 0.7


def test_trials_have_a_column_of_what_they_took(run: RecordedRun, tmp_path: Path) -> None:
    table = trials_table(read_run(run.write(tmp_path / "logs" / "wing-1")))
    assert [row[table.columns.index("slots")] for row in table.rows] == [7, 3, 8]


def test_where_each_takes_one_nothing_is_said_of_slots(tmp_path: Path) -> None:
    run = RecordedRun().begin(workers=1).answer_asks()
    assert "slot" not in words(run)
    assert "slots" not in trials_table(read_run(run.write(tmp_path / "logs" / "wing-1"))).columns


def test_what_no_worker_can_have_is_said_to_have_failed_as_it_is_chosen() -> None:
    run = RecordedRun(BY_RIBS.replace(", remote: 4", "")).begin(workers=1, slots=16)
    suggests(run, 20)
    expected = "trial 1 failed: it takes 20 slots, and this machine has 16"
    assert expected in [happening.sentence for happening in run.view().happenings]
    assert run.view().trials.failed == 1
