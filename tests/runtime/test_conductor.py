"""From what came to what is sent and shown: each thing once and in order, however slow the disk is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conductor_stage import Stage, evaluated, ticking

from orchestrator.errors import JournalError
from orchestrator.scheduler.amendment_events import BoundsAmended, HeldAmended, RunPaused
from orchestrator.scheduler.commands import Ask, Rebuild, Tell
from orchestrator.scheduler.events import RunResumed, SuggestionsMade, WorkerJoined, WorkerLeft
from orchestrator.scheduler.time_events import TimeRanOut
from orchestrator.scheduler.transitions import TrialState
from orchestrator.wire.messages import Drain, Failure


@pytest.mark.parametrize("during_commit", [True, False])
def test_an_optimiser_started_anew_is_told_each_thing_once(stage: Stage, during_commit: bool) -> None:
    evaluated(stage)
    if during_commit:
        stage.turn(stage.optimiser.restart)
    else:
        stage.turn()
        stage.optimiser.restart()
    kinds = [(type(command), getattr(command, "trial", None)) for command in stage.optimiser.told]
    assert kinds == [(Tell, 1), (Ask, None)]


def test_an_answer_that_was_on_its_way_when_the_process_died_is_not_asked_for_again(stage: Stage) -> None:
    stage.answer()
    stage.turn(stage.optimiser.restart)
    assert [type(command) for command in stage.optimiser.told] == [Ask]
    stage.optimiser.restart()
    assert stage.optimiser.told == []


def test_a_value_is_not_shown_before_it_is_on_disk_and_then_at_once(stage: Stage) -> None:
    evaluated(stage)
    stage.conductor.tick()
    shown_during_commit: list[int] = []

    def ticking() -> None:
        stage.conductor.tick()
        shown_during_commit.extend(stage.screen.drawn)

    stage.turn(ticking)
    assert shown_during_commit == [0]
    assert stage.screen.drawn == [0, 1]


def test_a_value_that_the_disk_refused_is_never_shown(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated(stage)
    monkeypatch.setattr(stage.journal, "commit", _refused)
    with pytest.raises(JournalError):
        stage.turn()
    for _ in range(3):
        stage.conductor.tick()
    assert stage.screen.drawn == []


def _refused() -> None:
    raise JournalError("No space left on device")


def test_a_disk_that_stalls_costs_no_worker_and_no_attempt(stage: Stage) -> None:
    evaluated(stage)
    value = stage.wire.incoming.pop()
    stage.conductor.inbox.leave(RunPaused(at=stage.now))
    stage.turn(lambda: ticking(stage, 30))
    stage.wire.incoming.append(value)
    stage.turn()
    trial = stage.scheduler.state.trials[1]
    assert (trial.state, trial.value, trial.attempts.failed) == (TrialState.COMPLETED, 1.0, 0)
    assert list(stage.scheduler.state.crew.workers) == ["w"]


def test_an_orchestrator_that_was_stopped_for_a_while_and_goes_on_has_lost_nobody(stage: Stage) -> None:
    evaluated(stage)
    stage.now += 30.0
    stage.conductor.tick()
    stage.turn()
    assert stage.scheduler.state.trials[1].value == 1.0
    assert list(stage.scheduler.state.crew.workers) == ["w"]


def test_whoever_is_silent_after_a_disk_has_stalled_is_lost_all_the_same(stage: Stage) -> None:
    stage.hello()
    stage.turn()
    stage.conductor.inbox.leave(RunPaused(at=stage.now))
    stage.turn(lambda: ticking(stage, 30))
    stage.turn()
    ticking(stage, 10)
    assert len(stage.conductor.inbox) == 0
    ticking(stage, 3)
    assert [type(event) for event in stage.conductor.inbox.take()] == [WorkerLeft]


def test_whoever_is_silent_while_the_orchestrator_is_slow_all_the_time_is_lost_too(stage: Stage) -> None:
    stage.hello()
    stage.turn()
    ticking(stage, 5, every_s=4.0)
    assert len(stage.conductor.inbox) == 0
    ticking(stage, 2, every_s=4.0)
    assert [type(event) for event in stage.conductor.inbox.take()] == [WorkerLeft]


def test_an_evaluations_seed_is_one_that_programs_of_32_bits_take_and_the_same_at_every_attempt(
    stage: Stage,
) -> None:
    stage.hello()
    stage.answer()
    stage.turn()
    lease = stage.lease()
    stage.receive(Failure(run=lease.run, lease=lease.lease, trial=1, kind="error", message="it broke"))
    stage.turn()
    again = stage.lease()
    assert (again.trial, again.attempt) == (1, 2)
    assert 0 <= again.seed == lease.seed < 2**31


def test_that_the_time_is_over_is_said_once_and_again_of_another_budget(stage: Stage) -> None:
    def said() -> int:
        ticking(stage, 5)
        return sum(isinstance(event, TimeRanOut) for event in stage.conductor.inbox.take())

    policy = stage.scheduler.state.policy
    stage.scheduler.state.policy = replace(policy, budget=replace(policy.budget, time_s=10.0))
    stage.now = 20.0
    assert said() == 1
    stage.scheduler.state.policy = replace(policy, budget=replace(policy.budget, time_s=15.0))
    assert said() == 1


def test_what_an_optimiser_that_failed_believes_is_not_waited_for(stage: Stage) -> None:
    stage.conductor.taking_stock = 2
    stage.conductor.optimiser_failed("it is gone")
    stage.turn()
    assert not stage.conductor.taking_stock


def test_an_optimiser_that_begins_anew_twice_in_a_turn_is_asked_nothing_between(stage: Stage) -> None:
    # Where the bounds are not amended yet, there may be no point for what is held by then.
    stage.conductor.inbox.leave(HeldAmended(at=1.0, held={"x": 2.0}, request="a"))
    stage.conductor.inbox.leave(BoundsAmended(at=1.0, bounds={"x": (1.0, 3.0)}, request="a"))
    told = stage.turn().for_optimiser
    assert [type(command) for command in told] == [Rebuild, Ask]
    assert isinstance(told[0], Rebuild)
    assert told[0].bounds == {"x": (1.0, 3.0)}


def test_an_answer_that_an_amendment_has_overtaken_is_not_written_down(stage: Stage) -> None:
    """Its line would name trials that are made of the next answer."""
    stage.conductor.inbox.leave(BoundsAmended(at=1.0, bounds={"x": (1.0, 3.0)}, request="a"))
    stage.answer()
    assert [type(event) for event in stage.turn().events] == [BoundsAmended]
    stage.answer()
    assert [type(event) for event in stage.turn().events] == [SuggestionsMade]


def test_what_a_person_had_in_hand_is_said_in_its_order_when_the_run_is_resumed(tmp_path: Path) -> None:
    stage = Stage(tmp_path, mode="asynchronous")
    person = WorkerJoined(at=0.0, worker="person", slots=3, local=True)
    stage.conductor.inbox.leave(person)
    stage.turn()
    for points in (1, 2):
        stage.answer(points)
        stage.turn()
    given = [f"trial {number} is yours: record it when it is done" for number in (1, 2, 3)]
    assert stage.notes == given
    stage.notes.clear()
    stage.begin(RunResumed(at=0.0, wall="later"))
    stage.conductor.inbox.leave(person)
    stage.turn()
    assert stage.notes == given


def test_whoever_says_hello_as_the_run_ends_is_sent_away_as_well(stage: Stage) -> None:
    stage.hello()
    stage.conductor.dismiss()
    assert stage.wire.sent == [Drain(now=True)]
