"""What was under way in lost lines: leases and trials of theirs are neither mixed up nor begun again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from damaged_journals import (
    NOW,
    early,
    folder_of_a_run,
    mended,
    nothing_is_mixed_up,
    of_results,
    recorded,
    values,
    without,
    worth,
    write,
)

from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import plan_repair, repair
from orchestrator.scheduler.amendment_events import PointsAdded
from orchestrator.scheduler.commands import Ask, CancelLease, Command, Evaluate
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    ResultArrived,
    RunResumed,
    RunStarted,
    SuggestionsMade,
    WorkerJoined,
)
from orchestrator.scheduler.mending_events import NO_OTHERS
from orchestrator.scheduler.transitions import TrialState


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folder_of_a_run(tmp_path)


def a_lease_in_lost_lines(folder: RunFolder) -> None:
    """Ada failed at trial 1 and holds it again, as 1.2: of which the line that says so is lost."""
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        FailureArrived(at=2.0, worker="ada", lease="1.1", kind="error", message="it broke"),
        WorkerJoined(at=3.0, worker="bea", slots=1),
    ]
    lines = write(folder, events)
    folder.journal.write_bytes(b"".join([*lines[:3], b"rubbish\n", *lines[4:]]))
    repair(plan_repair(folder, examine(folder.journal), NOW))


def test_a_lease_that_was_given_in_lost_lines_is_not_given_again(folder: RunFolder) -> None:
    a_lease_in_lost_lines(folder)
    replay = Replay.of(folder)
    replay.catch_up()
    replay.scheduler.handle(RunResumed(at=9.0, wall=""))
    commands = replay.scheduler.handle(WorkerJoined(at=9.0, worker="new", slots=1))
    assert [command.lease for command in commands if isinstance(command, Evaluate)] == ["1.3"]


def test_who_still_holds_a_lease_of_lost_lines_delivers_its_result(folder: RunFolder) -> None:
    a_lease_in_lost_lines(folder)
    replay = Replay.of(folder)
    replay.catch_up()
    assert replay.scheduler.was_given("1.2")
    replay.scheduler.handle(ResultArrived(at=9.0, worker="ada", lease="1.2", value=1.0))
    trial = replay.scheduler.state.trials[1]
    assert (trial.state, trial.value) == (TrialState.COMPLETED, 1.0)


def one_done_and_one_held() -> list[Event]:
    """Ada is done with trial 1 and holds trial 2, as 2.1, when bea joins."""
    return [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        ResultArrived(at=2.0, worker="ada", lease="1.1", value=worth({"span": 0.5})),
        SuggestionsMade(at=3.0, ask=1, suggestions=(Suggested(parameters={"span": 0.2}),), first_trial=2),
        WorkerJoined(at=4.0, worker="bea", slots=1),
    ]


def renumbered_while_held(folder: RunFolder) -> Replay:
    """Of three trials one is done, and two are held, as 2.1 by ada and as 3.1 by bea: the line of which the
    second came is lost, so that the third is trial 2 from now on.
    """
    made = (Suggested(parameters={"span": 0.3}),)
    lines = write(
        folder,
        [*one_done_and_one_held(), SuggestionsMade(at=5.0, ask=2, suggestions=made, first_trial=3)],
    )
    folder.journal.write_bytes(b"".join([*lines[:4], *lines[5:]]))
    repair(plan_repair(folder, examine(folder.journal), NOW))
    replay = Replay.of(folder)
    replay.catch_up()
    assert {number: trial.parameters["span"] for number, trial in replay.scheduler.state.trials.items()} == {
        1: 0.5,
        2: 0.3,
    }
    replay.scheduler.handle(RunResumed(at=9.0, wall=""))
    return replay


def test_a_trial_that_has_the_number_of_another_now_is_not_taken_for_what_is_held_of_that(
    folder: RunFolder,
) -> None:
    scheduler = renumbered_while_held(folder).scheduler
    commands = scheduler.handle(WorkerJoined(at=9.0, worker="ada", slots=1, held=("2.1",)))
    assert [one.lease for one in commands if isinstance(one, CancelLease)] == ["2.1"]
    scheduler.handle(ResultArrived(at=9.0, worker="ada", lease="2.1", value=worth({"span": 0.2})))
    nothing_is_mixed_up(scheduler.state)
    assert scheduler.state.trials[2].value is None


def test_nor_is_one_that_is_made_later(folder: RunFolder) -> None:
    scheduler = renumbered_while_held(folder).scheduler
    scheduler.handle(WorkerJoined(at=9.0, worker="new", slots=2))
    made = (Suggested(parameters={"span": 0.7}),)
    scheduler.handle(
        SuggestionsMade(at=9.5, ask=scheduler.state.optimiser.asks, suggestions=made, first_trial=3)
    )
    assert scheduler.state.trials[3].parameters == {"span": 0.7}
    scheduler.handle(WorkerJoined(at=9.6, worker="bea", slots=1, held=("3.1",)))
    scheduler.handle(ResultArrived(at=9.7, worker="bea", lease="3.1", value=worth({"span": 0.3})))
    nothing_is_mixed_up(scheduler.state)
    lease = scheduler.state.trials[3].lease
    assert lease is not None
    scheduler.handle(ResultArrived(at=9.9, worker="new", lease=lease, value=worth({"span": 0.7})))
    assert scheduler.state.trials[3].value == worth({"span": 0.7})
    assert scheduler.state.trials[3].attempts.begun == 1


@pytest.mark.parametrize("lost", [3, 5])
def test_nor_does_it_have_what_that_one_came_to_once_the_journal_is_damaged_again(
    folder: RunFolder, lost: int
) -> None:
    replay = renumbered_while_held(folder)
    journal = JournalWriter(folder.journal, length=replay.reader.length, next_number=replay.reader.lines)
    late = ResultArrived(at=9.0, worker="ada", lease="2.1", value=worth({"span": 0.2}))
    journal.append([RunResumed(at=9.0, wall=""), WorkerJoined(at=9.0, worker="ada", slots=1), late])
    journal.commit()
    journal.close()
    lines = folder.journal.read_bytes().splitlines(keepends=True)
    folder.journal.write_bytes(b"".join([*lines[:lost], *lines[lost + 1 :]]))
    _, state = mended(folder)
    nothing_is_mixed_up(state)
    assert {trial.parameters["span"] for trial in state.trials.values()} >= {0.3, 0.5}


@pytest.mark.parametrize("torn", [False, True])
def test_nor_is_one_that_is_made_in_the_place_of_one_of_which_no_line_is_left(
    folder: RunFolder, torn: bool
) -> None:
    lines = write(folder, one_done_and_one_held())
    left = [*lines[:2], *lines[3:4], lines[4][:-9]] if torn else [*lines[:4], *lines[5:]]
    folder.journal.write_bytes(b"".join(left))
    repair(plan_repair(folder, examine(folder.journal), NOW))
    replay = Replay.of(folder)
    replay.catch_up()
    scheduler = replay.scheduler
    assert len(scheduler.state.trials) == 1
    scheduler.handle(RunResumed(at=9.0, wall=""))
    scheduler.handle(WorkerJoined(at=9.0, worker="new", slots=1))
    made = (Suggested(parameters={"span": 0.7}),)
    scheduler.handle(
        SuggestionsMade(at=9.5, ask=scheduler.state.optimiser.asks, suggestions=made, first_trial=2)
    )
    scheduler.handle(WorkerJoined(at=9.6, worker="ada", slots=1))
    scheduler.handle(ResultArrived(at=9.7, worker="ada", lease="2.1", value=worth({"span": 0.2})))
    assert scheduler.state.trials[2].parameters == {"span": 0.7}
    nothing_is_mixed_up(scheduler.state)


def test_what_a_worker_said_that_it_held_tells_of_trials_of_which_no_line_is_left(folder: RunFolder) -> None:
    points = tuple({"span": 0.1 * k} for k in range(1, 5))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        PointsAdded(at=1.0, points=points, first_trial=2),
        WorkerJoined(at=2.0, worker="ada", slots=5),
        WorkerJoined(at=3.0, worker="ada", slots=5, held=("4.1", "5.1", "99.1"), foreign=("99.1",)),
    ]
    _, state = without(folder, events, 2)
    assert [number for number in range(1, 9) if state.others.leases_of(number)] == [2, 3, 4, 5]


def test_where_no_trial_can_be_without_a_line_the_first_attempt_at_the_next_is_the_first(
    folder: RunFolder,
) -> None:
    events = recorded(2)
    _, state = without(folder, events, early(events))
    assert state.others == NO_OTHERS


def write_without_what_came_after(folder: RunFolder, lines: list[bytes], after: int) -> None:
    """The mended journal as the repair left it, and damaged before what the repair had saved."""
    early = of_results(lines)[3]
    folder.journal.write_bytes(b"".join(lines[:early] + lines[early + 1 : len(lines) - after]))


def test_what_was_found_after_a_repair_is_found_again_when_the_journal_is_damaged_anew(
    folder: RunFolder,
) -> None:
    events = recorded(2)
    lines = write(folder, events)
    lost = of_results(lines)[20]
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 3 :]))
    before = plan_repair(folder, examine(folder.journal), NOW)
    repair(before)
    replay = Replay.of(folder)
    replay.catch_up()
    scheduler, at = replay.scheduler, replay.scheduler.state.at
    more: list[Event] = []

    def happen(event: Event) -> list[Command]:
        more.append(event)
        return scheduler.handle(event)

    waiting = happen(RunResumed(at=at, wall="")) + happen(WorkerJoined(at=at, worker="new", slots=1))
    while waiting:
        command = waiting.pop(0)
        if isinstance(command, Ask):
            made = tuple(Suggested(parameters={"span": 0.125}) for _ in range(command.count))
            first = command.first_trial
            waiting += happen(SuggestionsMade(at=at, ask=command.ask, suggestions=made, first_trial=first))
        elif isinstance(command, Evaluate):
            value = worth(command.parameters)
            waiting += happen(ResultArrived(at=at, worker="new", lease=command.lease, value=value))
    assert any(isinstance(event, SuggestionsMade) for event in more)
    journal = JournalWriter(folder.journal, length=replay.reader.length, next_number=replay.reader.lines)
    journal.append(more)
    journal.commit()
    journal.close()
    lines = folder.journal.read_bytes().splitlines(keepends=True)
    write_without_what_came_after(folder, lines, len(more))
    again = plan_repair(folder, examine(folder.journal), NOW).saved.event
    # Asks of the lines that were lost the first time are not given again.
    assert again.asks >= before.saved.event.asks + before.saved.event.lost
    early = of_results(lines)[3]
    folder.journal.write_bytes(b"".join(lines[:early] + lines[early + 1 :]))
    plan, state = mended(folder)
    assert not any("its parameters is lost" in sentence for sentence in plan.saved.dropped)
    assert values(more) <= {trial.value for trial in state.trials.values()}
    nothing_is_mixed_up(state)


def test_a_trial_that_had_failed_at_every_attempt_behind_the_damage_is_not_tried_again(
    folder: RunFolder,
) -> None:
    common: dict[str, Any] = {"worker": "ada", "kind": "error", "message": "it broke"}
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        WorkerJoined(at=2.0, worker="bea", slots=1),
        *(FailureArrived(at=2.0 + n, lease=f"1.{n}", **common) for n in (1, 2, 3)),
    ]
    lines = write(folder, events)
    folder.journal.write_bytes(b"".join([*lines[:3], b"rubbish\n", *lines[4:]]))
    repair(plan_repair(folder, examine(folder.journal), NOW))
    replay = Replay.of(folder)
    replay.catch_up()
    trial = replay.scheduler.state.trials[1]
    assert (trial.state, trial.message) == (TrialState.FAILED, "failed 3 times")
