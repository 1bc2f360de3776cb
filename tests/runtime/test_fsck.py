"""A journal that was damaged: what fsck says of it, and that everything that can be read again is saved."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.errors import JournalError
from orchestrator.report.fsck_words import plan_words
from orchestrator.runtime.fsck import Plan, examine, plan_repair, repair
from orchestrator.runtime.journal import JournalWriter, read_journal
from orchestrator.runtime.recover import Replay
from orchestrator.runtime.run_folder import RunFolder
from orchestrator.scheduler.commands import Ask, Command, Evaluate
from orchestrator.scheduler.events import (
    BoundsAmended,
    BudgetAmended,
    Event,
    FailureArrived,
    ObservationsForgotten,
    ResultArrived,
    RunResumed,
    RunStarted,
    Suggested,
    SuggestionsMade,
    WorkerJoined,
)
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState

TRIALS = 40
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SPEC = f"""\
experiment: wing
objective: {{name: lift, goal: maximise}}
parameters:
  span: {{type: float, bounds: [0.0, 1.0]}}
budget: {{trials: {TRIALS}}}
algorithm: random
initial: {{points: [{{span: 0.5}}]}}
evaluation: {{evaluator: "math:sqrt"}}
"""


def worth(parameters: Mapping[str, Any]) -> float:
    """The true value: a value that got other parameters than its own is found out."""
    return 2.0 * float(parameters["span"])


def recorded(seed: int) -> list[Event]:
    """A run of two workers to its last trial but a few, with failures on the way."""
    rng = random.Random(seed)
    scheduler = Scheduler(Policy(trials=TRIALS))
    events: list[Event] = []
    waiting: list[Command] = []

    def happen(event: Event) -> None:
        events.append(event)
        waiting.extend(scheduler.handle(event))

    happen(RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)))
    for name in ("ada", "bea"):
        happen(WorkerJoined(at=1.0, worker=name, slots=rng.randint(1, 2)))
    while scheduler.state.completed < TRIALS - 3:
        waiting[:] = [one for one in waiting if isinstance(one, Ask | Evaluate)]
        command = waiting.pop(rng.randrange(len(waiting)))
        at = float(len(events))
        if isinstance(command, Ask):
            made = tuple(Suggested(parameters={"span": rng.random()}) for _ in range(command.count))
            happen(SuggestionsMade(at=at, ask=command.ask, suggestions=made, first_trial=command.first_trial))
        elif isinstance(command, Evaluate):
            common: dict[str, Any] = {"at": at, "worker": command.worker, "lease": command.lease}
            if rng.random() < 0.1:
                happen(FailureArrived(kind="error", message="it broke", **common))
            else:
                happen(ResultArrived(value=worth(command.parameters), elapsed=9.0, **common))
    return events


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    (tmp_path / "spec.yaml").write_text(SPEC)
    return RunFolder(tmp_path)


def write(folder: RunFolder, events: list[Event]) -> list[bytes]:
    folder.journal.unlink(missing_ok=True)
    journal = JournalWriter.create(folder.journal, "test")
    journal.append(events)
    journal.commit()
    journal.close()
    return folder.journal.read_bytes().splitlines(keepends=True)


def mended(folder: RunFolder) -> tuple[Plan, State]:
    """Repair, and replay what comes of it as a resume does, and go on with it."""
    plan = plan_repair(folder, examine(folder.journal), NOW)
    kept = repair(plan)
    assert kept.exists()
    read_journal(folder.journal)
    assert not examine(folder.journal).damaged
    replay = Replay.of(folder)
    for event in replay.reader:
        replay.scheduler.handle(event)
        assert not violations(replay.scheduler.state)
    scheduler = replay.scheduler
    if scheduler.state.resumable:
        scheduler.handle(RunResumed(at=scheduler.state.at, wall=""))
        _to_the_end(scheduler)
    return plan, scheduler.state


def _to_the_end(scheduler: Scheduler) -> None:
    """A worker comes, and everything that is left is evaluated."""
    at = scheduler.state.at
    waiting = scheduler.handle(WorkerJoined(at=at, worker="new", slots=3))
    if scheduler.state.asking is not None and not any(isinstance(one, Ask) for one in waiting):
        ask = Ask(ask=scheduler.state.asks, count=scheduler.state.asking, first_trial=0, pending=())
        waiting.append(ask)
    leases = set()
    while waiting:
        command = waiting.pop(0)
        if isinstance(command, Ask):
            made = tuple(Suggested(parameters={"span": 0.25}) for _ in range(command.count))
            waiting += scheduler.handle(SuggestionsMade(at=at, ask=command.ask, suggestions=made))
        elif isinstance(command, Evaluate):
            assert command.lease not in leases
            leases.add(command.lease)
            value = worth(command.parameters)
            waiting += scheduler.handle(ResultArrived(at=at, worker="new", lease=command.lease, value=value))
        assert not violations(scheduler.state)


def nothing_is_mixed_up(state: State) -> None:
    for trial in state.trials.values():
        if trial.value is not None:
            assert trial.value == worth(trial.parameters)


def unnamed(events: list[Event]) -> list[Event]:
    """As they were written before lines of suggestions named their trials."""
    return [
        SuggestionsMade(at=event.at, ask=event.ask, suggestions=event.suggestions)
        if isinstance(event, SuggestionsMade)
        else event
        for event in events
    ]


def values(events: list[Event]) -> set[float]:
    return {event.value for event in events if isinstance(event, ResultArrived)}


def of_results(lines: list[bytes]) -> list[int]:
    return [place for place, line in enumerate(lines) if b'"ResultArrived"' in line]


def test_a_sound_journal_is_left_alone(folder: RunFolder) -> None:
    events = recorded(1)
    lines = write(folder, events)
    found = examine(folder.journal)
    assert (found.damaged, found.sound, found.kept) == (False, events, lines)


def test_a_torn_end_is_no_damage(folder: RunFolder) -> None:
    lines = write(folder, recorded(1))
    folder.journal.write_bytes(b"".join(lines)[:-7])
    found = examine(folder.journal)
    assert (found.damaged, found.torn) == (False, len(lines[-1]) - 7)


@pytest.mark.parametrize("seed", range(5))
def test_a_lost_result_costs_that_result_and_no_other(folder: RunFolder, seed: int) -> None:
    events = recorded(seed)
    lines = write(folder, events)
    lost = random.Random(seed).choice(of_results(lines))
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    found = examine(folder.journal)
    assert (found.missing, len(found.sound)) == (1, lost - 1)
    plan, state = mended(folder)
    gone = events[lost - 1]
    assert isinstance(gone, ResultArrived)
    assert values(events) - {gone.value} <= {trial.value for trial in state.trials.values()}
    assert plan.saved.again >= 1
    nothing_is_mixed_up(state)
    assert state.completed == TRIALS


def test_a_line_that_damage_made_several_of_costs_no_line_behind_it(folder: RunFolder) -> None:
    events = recorded(1)
    lines = write(folder, events)
    lost = of_results(lines)[5]
    folder.journal.write_bytes(b"".join([*lines[:lost], b"rubbish\n" * 4, *lines[lost + 1 :]]))
    found = examine(folder.journal)
    assert len(found.sound) + len(found.behind) == len(events) - 1
    plan, state = mended(folder)
    gone = events[lost - 1]
    assert isinstance(gone, ResultArrived)
    assert values(events) - {gone.value} <= {trial.value for trial in state.trials.values()}
    assert plan.saved.event.at == events[-1].at


def test_an_ask_that_is_answered_again_behind_the_damage_makes_no_trials(folder: RunFolder) -> None:
    events = recorded(2)
    early, answered = [place for place, one in enumerate(events) if isinstance(one, SuggestionsMade)][3:5]
    again = events[answered]
    assert isinstance(again, SuggestionsMade)
    first = again.first_trial + len(again.suggestions)
    other = (Suggested(parameters={"span": 0.75}),) * len(again.suggestions)
    repeated = SuggestionsMade(at=again.at, ask=again.ask, suggestions=other, first_trial=first)
    lines = write(folder, [*events[: answered + 1], repeated, *events[answered + 1 :]])
    folder.journal.write_bytes(b"".join([*lines[: early + 1], b"rubbish\n", *lines[early + 2 :]]))
    _, state = mended(folder)
    nothing_is_mixed_up(state)
    lost = {2.0 * one.parameters["span"] for one in events[early].suggestions}  # type: ignore[union-attr]
    assert values(events) - lost <= {trial.value for trial in state.trials.values()}


def test_suggestions_that_are_lost_take_only_their_own_values_with_them(folder: RunFolder) -> None:
    events = recorded(3)
    lines = write(folder, events)
    places = [place for place, line in enumerate(lines) if b'"SuggestionsMade"' in line]
    lost = places[len(places) // 2]
    gone = events[lost - 1]
    assert isinstance(gone, SuggestionsMade)
    numbers = range(gone.first_trial, gone.first_trial + len(gone.suggestions))
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    plan, state = mended(folder)
    dropped = [e for e in events if isinstance(e, ResultArrived) and trial_of(e.lease) in numbers]
    for event in dropped:
        assert any(repr(event.value) in sentence for sentence in plan.saved.dropped)
    assert values(events) - values(list(dropped)) <= {trial.value for trial in state.trials.values()}
    nothing_is_mixed_up(state)


def test_parameters_that_are_not_certain_are_not_guessed_at(folder: RunFolder) -> None:
    old = unnamed(recorded(4))
    lines = write(folder, old)
    places = [place for place, line in enumerate(lines) if b'"SuggestionsMade"' in line]
    lost = places[4]
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    plan, state = mended(folder)
    nothing_is_mixed_up(state)
    assert any("its parameters is lost" in sentence for sentence in plan.saved.dropped)


def test_with_whole_asks_the_trials_are_known_though_the_lines_do_not_name_them(folder: RunFolder) -> None:
    old = unnamed(recorded(4))
    lines = write(folder, old)
    lost = of_results(lines)[8]
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    _, state = mended(folder)
    kept = [event for place, event in enumerate(old, start=1) if place != lost]
    assert values(kept) <= {trial.value for trial in state.trials.values()}
    nothing_is_mixed_up(state)


@pytest.mark.parametrize("seed", range(40))
def test_damage_at_random_bytes_loses_nothing_that_can_be_read(folder: RunFolder, seed: int) -> None:
    rng = random.Random(seed)
    events = recorded(seed % 4)
    content = bytearray(b"".join(write(folder, events)))
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        place = rng.randrange(len(content))
        match rng.randrange(4):
            case 0:
                content[place] ^= 1 << rng.randrange(8)
            case 1:
                content[place : place + 512] = bytes(min(512, len(content) - place))
            case 2:
                del content[place : place + rng.randrange(1, 300)]
            case _:
                content[place:place] = rng.randbytes(rng.randrange(1, 50))
    folder.journal.write_bytes(content)
    found = examine(folder.journal)
    if not found.damaged:
        read_journal(folder.journal)
        return
    readable = [*found.sound, *(one.event for one in found.behind)]
    points: set[float] = {0.5}
    for event in readable:
        if isinstance(event, SuggestionsMade):
            points |= {one.parameters["span"] for one in event.suggestions}
    plan, state = mended(folder)
    nothing_is_mixed_up(state)
    can_be_saved = {value for value in values(readable) if value / 2.0 in points}
    assert can_be_saved <= {trial.value for trial in state.trials.values()}
    assert state.completed + state.failed == TRIALS
    dropped = values(readable) - can_be_saved
    for value in dropped:
        assert any(repr(value) in sentence for sentence in plan.saved.dropped)


def test_only_the_header_lost_is_only_the_header_made_anew(folder: RunFolder) -> None:
    events = recorded(2)
    lines = write(folder, events)
    folder.journal.write_bytes(b"\xff" + b"".join(lines)[1:])
    assert examine(folder.journal).sound == events
    repair(plan_repair(folder, examine(folder.journal), NOW))
    assert read_journal(folder.journal).events == tuple(events)


def test_a_run_whose_first_event_is_lost_begins_again_from_its_spec(folder: RunFolder) -> None:
    events = recorded(2)
    lines = write(folder, events)
    folder.journal.write_bytes(b"".join([lines[0], *lines[2:]]))
    _, state = mended(folder)
    assert values(events) <= {trial.value for trial in state.trials.values()}
    nothing_is_mixed_up(state)


def test_known_results_of_a_file_that_the_lost_first_event_held_are_said_to_be_lost(
    folder: RunFolder,
) -> None:
    folder.spec.write_text(SPEC.replace("points: [{span: 0.5}]", "results: others.csv"))
    lines = write(folder, recorded(2))
    folder.journal.write_bytes(b"".join([lines[0], *lines[2:]]))
    plan, _ = mended(folder)
    (said,) = [sentence for sentence in plan.saved.dropped if "others.csv" in sentence]
    assert f"orchestrator amend {folder.path} --known" in said
    assert said in plan_words(plan)


def test_a_result_under_a_lease_of_the_lost_lines_still_counts(folder: RunFolder) -> None:
    events = recorded(2)
    lines = write(folder, events)
    lost = of_results(lines)[-1]
    gone = events[lost - 1]
    assert isinstance(gone, ResultArrived)
    folder.journal.write_bytes(b"".join(lines[:lost]) + b"rubbish\n" + b"".join(lines[lost + 1 :]))
    repair(plan_repair(folder, examine(folder.journal), NOW))
    replay = Replay.of(folder)
    replay.catch_up()
    number = trial_of(gone.lease)
    assert number is not None
    trial = replay.scheduler.state.trials[number]
    assert trial.state is TrialState.QUEUED
    replay.scheduler.handle(ResultArrived(at=1e6, worker="ada", lease=gone.lease, value=gone.value))
    assert (trial.state, trial.value) == (TrialState.COMPLETED, gone.value)


def test_what_was_amended_behind_the_damage_stays_amended(folder: RunFolder) -> None:
    events = recorded(2)
    at = events[-1].at
    known = next(event for event in reversed(events) if isinstance(event, ResultArrived))
    number = trial_of(known.lease)
    assert number is not None
    events += [
        BudgetAmended(at=at, trials=TRIALS + 5),
        BoundsAmended(at=at, bounds={"span": (0.0, 0.9)}),
        ObservationsForgotten(at=at, trials=(number,), reason="the scale was wrong"),
    ]
    lines = write(folder, events)
    lost = of_results(lines)[3]
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    repair(plan_repair(folder, examine(folder.journal), NOW))
    replay = Replay.of(folder)
    replay.catch_up()
    state = replay.scheduler.state
    assert not violations(state)
    assert (state.policy.trials, state.bounds["span"]) == (TRIALS + 5, (0.0, 0.9))
    assert state.trials[number].forgotten == "the scale was wrong"
    assert state.trials[number].value == known.value


def test_a_journal_of_a_later_version_is_not_taken_for_damage(folder: RunFolder) -> None:
    import zlib

    lines = write(folder, recorded(2)[:3])
    body = b'{"n":4,"event":"FromTheFuture","data":{}}'
    folder.journal.write_bytes(b"".join(lines) + b'{"crc":"%08x",%s\n' % (zlib.crc32(body), body[1:]))
    with pytest.raises(JournalError, match="Use the version that wrote it"):
        examine(folder.journal)


def test_a_line_that_is_there_twice_counts_once(folder: RunFolder) -> None:
    events = recorded(2)
    lines = write(folder, events)
    folder.journal.write_bytes(b"".join([*lines[:20], *lines[15:]]))
    _, state = mended(folder)
    assert values(events) <= {trial.value for trial in state.trials.values()}


def test_nothing_to_be_saved_is_said(folder: RunFolder) -> None:
    folder.journal.write_bytes(b"\0" * 4096 + b"\n" + b"rubbish\n")
    with pytest.raises(JournalError, match="Nothing can be saved"):
        plan_repair(folder, examine(folder.journal), NOW)


def fsck(folder: RunFolder, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "orchestrator", "fsck", str(folder.path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_command_says_what_it_drops_and_keeps_the_damaged_file(folder: RunFolder) -> None:
    events = recorded(2)
    lines = write(folder, events)
    sound = fsck(folder)
    assert (sound.returncode, "sound" in sound.stdout) == (0, True)
    lost = of_results(lines)[5]
    lines[lost] = lines[lost].replace(b"bea", b"eve").replace(b"ada", b"eve")
    damaged = b"".join(lines)
    folder.journal.write_bytes(damaged)
    told = fsck(folder)
    assert told.returncode == 1
    assert f"line {lost + 1}, " in told.stdout
    assert "its checksum does not match" in told.stdout
    assert "dropped: 1 line" in told.stdout
    assert folder.journal.read_bytes() == damaged
    done = fsck(folder, "--repair")
    assert done.returncode == 0, done.stderr
    (kept,) = folder.path.glob("journal.jsonl.damaged-*")
    assert kept.read_bytes() == damaged
    assert fsck(folder).returncode == 0
    assert folder.journal.read_bytes().startswith(b"".join(lines[:lost]))


def test_a_run_that_somebody_works_on_is_not_repaired(folder: RunFolder) -> None:
    lines = write(folder, recorded(2))
    folder.journal.write_bytes(b"".join([*lines[:9], b"rubbish\n", *lines[10:]]))
    with folder.lock():
        refused = fsck(folder, "--repair")
    assert refused.returncode == 1
    assert "is being written by process" in refused.stderr
