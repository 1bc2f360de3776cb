"""Points that a person added, in journals that lost a line: a value keeps its parameters, or is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from damaged_journals import NOW, folder_of_a_run, worth, write

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import RepairPlan, plan_repair, repair
from orchestrator.scheduler.amendment_events import BoundsAmended, PointsAdded
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import Event, ResultArrived, RunStarted, SuggestionsMade, WorkerJoined
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import is_added

HUNCHES = ({"span": 0.7}, {"span": 0.8})
EVENTS: list[Event] = [
    RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
    WorkerJoined(at=1.0, worker="ada", slots=1),
    SuggestionsMade(at=2.0, ask=1, suggestions=(Suggested(parameters={"span": 0.1}),), first_trial=2),
    PointsAdded(at=3.0, points=HUNCHES, first_trial=3, by="Ada", reason="a hunch", request="1-1"),
    ResultArrived(at=4.0, worker="ada", lease="1.1", value=1.0),
    ResultArrived(at=5.0, worker="ada", lease="3.1", value=worth(HUNCHES[0])),
]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folder_of_a_run(tmp_path)


def without(folder: RunFolder, lost: int, events: list[Event] = EVENTS) -> tuple[RepairPlan, State]:
    """The plan, and the state after the repair, of a journal that lost a line."""
    lines = write(folder, events)
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    plan = plan_repair(folder, examine(folder.journal), NOW)
    repair(plan)
    replay = Replay.of(folder)
    replay.catch_up()
    assert not violations(replay.scheduler.state)
    return plan, replay.scheduler.state


@pytest.mark.parametrize("lost", [2, 3])
def test_behind_the_damage_they_are_trials_as_they_were_and_first_in_the_queue(
    folder: RunFolder, lost: int
) -> None:
    _, state = without(folder, lost)
    added = [trial for trial in state.trials.values() if is_added(trial)]
    assert [(trial.parameters, trial.value) for trial in added] == [(HUNCHES[0], 1.4), (HUNCHES[1], None)]
    assert added[0].suggested.why["reason"] == "a hunch"
    assert state.tally.points_added == 2
    assert ("1-1", "PointsAdded") in state.requests
    assert state.waiting.queue[0] == added[1].number


def test_where_their_line_is_lost_their_values_are_dropped_and_that_is_said(folder: RunFolder) -> None:
    plan, state = without(folder, 4)
    assert "the value 1.4 of trial 3, from ada: the line with its parameters is lost" in plan.saved.dropped
    assert not any(map(is_added, state.trials.values()))


def test_where_the_line_is_lost_that_widened_the_bounds_for_them_nothing_follows_from_them(
    folder: RunFolder,
) -> None:
    events = [
        *EVENTS[:2],
        BoundsAmended(at=2.0, bounds={"span": (0.0, 2.0)}),
        PointsAdded(at=3.0, points=({"span": 1.5},), first_trial=2),
        ResultArrived(at=4.0, worker="ada", lease="2.1", value=3.0),
    ]
    _, state = without(folder, 3, events)
    assert state.amended.bounds == {"span": (0.0, 1.0)}
    assert state.trials[2].value == 3.0
    assert not state.counts(state.trials[2])


def test_what_is_left_of_their_line_is_shown(folder: RunFolder) -> None:
    lines = write(folder, EVENTS)
    lines[4] = lines[4].replace(b"0.7", b"0.9")
    folder.journal.write_bytes(b"".join(lines))
    (bad,) = examine(folder.journal).bad
    assert bad.amendment.startswith('PointsAdded {"at":3.0,"points":[{"span":0.9},{"span":0.8}]')
