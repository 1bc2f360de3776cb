"""A mended journal may be damaged as well: what was saved once is saved again, and none of it is less."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from damaged_journals import (
    early,
    folder_of_a_run,
    mended,
    number_at,
    of_results,
    recorded,
    without,
    worth,
    write,
)

from orchestrator.runtime.folder.journal import read_journal
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.scheduler.amendment_events import BlockBegan, BoundsAmended
from orchestrator.scheduler.event_parts import Forecast, Suggested
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    ResultArrived,
    RunResumed,
    RunStarted,
    SuggestionsMade,
    TrialFoundHopeless,
    TrialFoundUnlikely,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial

FORESEEN = Forecast(mean=0.25, deviation=0.5, chance=0.125)


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folder_of_a_run(tmp_path)


def test_all_that_a_result_brought_is_saved_with_it_and_saved_again_where_that_is_damaged(
    folder: RunFolder,
) -> None:
    brought = {
        "value": worth({"span": 0.5}),
        "variance": 0.25,
        "factors": (0.4, 0.6),
        "extras": {"heat": 3.5},
        "broken": ("heat <= 3",),
        "elapsed": 7.0,
        "curve": ((1, 0.5), (2, 0.75)),
        "not_finite_at": 3,
        "own": {"bench": "north"},
        "by": "Ada",
        "continued": True,
    }
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        WorkerJoined(at=1.0, worker="bob", slots=1),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        WorkerJoined(at=2.0, worker="eve", slots=1),
        ResultArrived(at=9.0, worker="ada", lease="1.1", **brought),
    ]
    at_first = Suggested(parameters={"span": 0.5})
    expected = SavedTrial(number=1, suggested=at_first, worker="ada", **brought)
    for lost in (4, 3):
        plan, state = without(folder, events, lost)
        assert plan.saved.event.trials == (expected,)
        assert {name: getattr(state.trials[1], name) for name in brought} == brought
        events = [*read_journal(folder.journal).events]
    assert len(events) == 3
    assert isinstance(events[-1], JournalMended)


def test_what_a_stopped_trial_was_foreseen_to_come_to_is_saved_and_saved_again(folder: RunFolder) -> None:
    curve = ((1, 0.5), (2, 0.75))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        WorkerJoined(at=1.0, worker="bob", slots=1),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        WorkerJoined(at=2.0, worker="eve", slots=1),
        TrialFoundUnlikely(at=9.0, lease="1.1", reason="too low", forecast=FORESEEN, curve=curve),
    ]
    for lost in (4, 3):
        plan, state = without(folder, events, lost)
        (saved,) = plan.saved.event.trials
        assert (saved.message, saved.forecast, saved.curve) == ("too low", FORESEEN, curve)
        assert (state.tally.stopped, state.trials[1].forecast) == (1, FORESEEN)
        events = [*read_journal(folder.journal).events]


def test_which_block_a_person_said_a_result_is_of_is_saved_and_saved_again(folder: RunFolder) -> None:
    """The second trial ran as a block began, and is of the one before."""
    made = tuple(Suggested(parameters={"span": 0.1 * k}) for k in range(1, 5))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall=""),
        WorkerJoined(at=1.0, worker="bob", slots=1),
        WorkerJoined(at=1.0, worker="ada", slots=2),
        BlockBegan(at=2.0, block="1"),
        WorkerJoined(at=2.5, worker="eve", slots=1),
        SuggestionsMade(at=3.0, ask=1, suggestions=made, first_trial=1),
        ResultArrived(at=4.0, worker="ada", lease="1.1", value=worth(made[0].parameters), elapsed=0.9),
        BlockBegan(at=5.0, block="2"),
        ResultArrived(at=6.0, worker="ada", lease="2.1", value=worth(made[1].parameters), elapsed=2.9),
        ResultArrived(at=7.0, worker="ada", lease="3.1", value=worth(made[2].parameters), elapsed=0.9),
    ]
    for lost in (5, 3):
        plan, state = without(folder, events, lost)
        assert [one.block for one in plan.saved.event.trials] == ["1", "1", "2", ""]
        assert [state.trials[number].block for number in (1, 2, 3)] == ["1", "1", "2"]
        assert state.block == "2"
        events = [*read_journal(folder.journal).events]


def test_which_trial_a_worker_had_last_is_saved_and_saved_again(folder: RunFolder) -> None:
    made = tuple(Suggested(parameters={"span": 0.1 * k}) for k in range(1, 4))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall=""),
        WorkerJoined(at=1.0, worker="bob", slots=1),
        WorkerJoined(at=1.0, worker="ada", slots=3),
        SuggestionsMade(at=3.0, ask=1, suggestions=made, first_trial=1),
        ResultArrived(at=4.0, worker="ada", lease="2.1", value=worth(made[1].parameters)),
    ]
    for lost in (3, 2):
        plan, _ = without(folder, events, lost)
        assert plan.saved.event.last_given == 2
        events = [*read_journal(folder.journal).events]


@pytest.mark.parametrize(
    "came",
    [
        ResultArrived(at=4.0, worker="ada", lease="2.1", value=worth({"span": 0.2})),
        TrialFoundUnlikely(at=4.0, lease="2.1", reason="too low", forecast=FORESEEN),
        TrialFoundHopeless(at=4.0, lease="2.1", reason="it came to nothing"),
    ],
)
def test_under_which_number_a_trial_left_its_files_is_saved_and_saved_again(
    folder: RunFolder, came: Event
) -> None:
    made = tuple(Suggested(parameters={"span": 0.1 * k}) for k in range(1, 3))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall=""),
        WorkerJoined(at=1.0, worker="bob", slots=1),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        SuggestionsMade(at=3.0, ask=1, suggestions=made[:1], first_trial=1),
        SuggestionsMade(at=3.5, ask=2, suggestions=made[1:], first_trial=2),
        came,
    ]
    for lost in (4, 3):
        _, state = without(folder, events, lost)
        trial = state.trials[1]
        assert (trial.parameters, trial.files_number) == (made[1].parameters, 2)
        events = [*read_journal(folder.journal).events]


def test_where_files_lie_is_known_of_what_failed_too_and_of_what_is_tried_again_until_it_is(
    folder: RunFolder,
) -> None:
    made = tuple(Suggested(parameters={"span": 0.1 * k}) for k in range(1, 4))
    common: dict[str, Any] = {"worker": "ada", "kind": "error", "message": "it broke"}
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", pays_for_begun=True),
        WorkerJoined(at=1.0, worker="ada", slots=2),
        SuggestionsMade(at=3.0, ask=1, suggestions=made[:1], first_trial=1),
        SuggestionsMade(at=3.5, ask=2, suggestions=made[1:], first_trial=2),
        *(FailureArrived(at=4.0 + n, lease=f"2.{n}", **common) for n in (1, 2, 3)),
        FailureArrived(at=8.0, lease="3.1", **common),
    ]
    _, state = without(folder, events, 3)
    assert [(one.state.value, one.files_number) for one in state.trials.values()] == [
        ("failed", 2),
        ("queued", 3),
    ]
    replay = Replay.of(folder)
    replay.catch_up()
    scheduler = replay.scheduler
    scheduler.handle(RunResumed(at=9.0, wall=""))
    scheduler.handle(WorkerJoined(at=9.0, worker="ada", slots=2))
    assert scheduler.state.trials[2].files_number == 2
    scheduler.handle(WorkerLeft(at=9.2, worker="ada", lost=False))
    later = (Suggested(parameters={"span": 0.9}),)
    scheduler.handle(
        SuggestionsMade(at=9.5, ask=scheduler.state.optimiser.asks, suggestions=later, first_trial=3)
    )
    waiting = scheduler.state.trials[3]
    assert (waiting.state.value, waiting.files_number) == ("queued", 0), "what lies there is another's"


def test_a_journal_that_was_mended_before_and_is_damaged_again_keeps_what_was_saved(
    folder: RunFolder,
) -> None:
    events = recorded(3)
    first = early(events)
    _, once = without(folder, events, first)
    lines = folder.journal.read_bytes().splitlines(keepends=True)
    lost = of_results(lines)[2]
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    plan, twice = mended(folder)
    gone = {number_at(events, first), number_at(events, of_results(write(folder, events))[2])}
    for number, trial in once.trials.items():
        if trial.value is not None and number not in gone:
            assert twice.trials[number].value == trial.value
            assert twice.trials[number].parameters == trial.parameters
    assert not any("JournalMended" in said for said in plan.saved.dropped)


def test_where_it_is_damaged_before_that_the_bounds_are_those_that_what_was_saved_lies_in(
    folder: RunFolder,
) -> None:
    """The spec's, where what amended them is lost: the trials that an earlier repair saved lie beyond."""
    made = (Suggested(parameters={"span": 2.5}),)
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall=""),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        BoundsAmended(at=2.0, bounds={"span": (0.0, 3.0)}),
        WorkerJoined(at=3.0, worker="bob", slots=1),
        SuggestionsMade(at=4.0, ask=2, suggestions=made, first_trial=1),
        ResultArrived(at=5.0, worker="ada", lease="1.1", value=5.0),
    ]
    without(folder, events, 4)
    assert b'"JournalMended"' in folder.journal.read_bytes()
    _, state = without(folder, [*read_journal(folder.journal).events], 3)
    assert state.amended.bounds == {"span": (0.0, 1.0)}
    assert not any(state.counts(trial) for trial in state.observed)
