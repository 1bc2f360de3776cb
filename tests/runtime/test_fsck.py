"""A journal that was damaged: what fsck says of it, and that everything that can be read again is saved."""

from __future__ import annotations

import random
from dataclasses import fields
from pathlib import Path

import pytest
from damaged_journals import (
    NOW,
    SPEC,
    TRIALS,
    folder_of_a_run,
    fsck,
    mended,
    nothing_is_mixed_up,
    of_results,
    recorded,
    values,
    without,
    write,
)

from orchestrator.errors import JournalError
from orchestrator.report.words.fsck import plan_words
from orchestrator.runtime.folder.journal import read_journal
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import plan_repair, repair
from orchestrator.scheduler.amendment_events import BoundsAmended, BudgetAmended, ObservationsForgotten
from orchestrator.scheduler.events import (
    Event,
    ResultArrived,
    RunStarted,
    SuggestionsMade,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.transitions import TrialState


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folder_of_a_run(tmp_path)


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
    assert state.tally.completed == TRIALS


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
    readable = [*found.sound, *found.behind]
    points: set[float] = {0.5}
    for event in readable:
        if isinstance(event, SuggestionsMade):
            points |= {one.parameters["span"] for one in event.suggestions}
    plan, state = mended(folder)
    nothing_is_mixed_up(state)
    can_be_saved = {value for value in values(readable) if value / 2.0 in points}
    assert can_be_saved <= {trial.value for trial in state.trials.values()}
    assert state.tally.completed + state.tally.failed == TRIALS
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


def test_what_all_results_of_a_file_had_is_said_with_the_file_that_is_to_be_given_again(
    folder: RunFolder,
) -> None:
    results = (
        "results: [{file: others.csv, where: {span: 0.50}}, more.csv, {file: old.csv, where: {span: 0.50}}]"
    )
    folder.spec.write_text(SPEC.replace("points: [{span: 0.5}]", results))
    lines = write(folder, recorded(2))
    folder.journal.write_bytes(b"".join([lines[0], *lines[2:]]))
    plan, _ = mended(folder)
    (said,) = [sentence for sentence in plan.saved.dropped if "others.csv" in sentence]
    amend = f"orchestrator amend {folder.path} --known"
    assert f"{amend} others.csv --known old.csv --where span=0.50; {amend} more.csv" in said


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


def test_of_two_results_of_one_trial_behind_the_damage_the_first_counts(folder: RunFolder) -> None:
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        WorkerJoined(at=2.0, worker="bea", slots=1),
        ResultArrived(at=5.0, worker="bea", lease="1.2", value=1.0),
        ResultArrived(at=6.0, worker="ada", lease="1.1", value=0.75),
    ]
    _, state = without(folder, events, 2)
    assert (state.trials[1].value, state.tally.completed) == (1.0, 1)


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
    assert (state.policy.budget.trials, state.amended.bounds["span"]) == (TRIALS + 5, (0.0, 0.9))
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
    assert f"continue: orchestrator resume {folder.path}" in done.stderr
    (kept,) = folder.path.glob("journal.jsonl.damaged-*")
    assert kept.read_bytes() == damaged
    assert fsck(folder).returncode == 0
    assert folder.journal.read_bytes().startswith(b"".join(lines[:lost]))


@pytest.mark.parametrize("torn", [True, False])
def test_a_run_that_has_ended_is_not_said_to_go_on_once_it_is_mended(folder: RunFolder, torn: bool) -> None:
    """The only line that is damaged is of no consequence."""
    events = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        BudgetAmended(at=0.0, trials=1),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        ResultArrived(at=2.0, worker="ada", lease="1.1", value=1.0),
        WorkerLeft(at=3.0, worker="ada", lost=False),
    ]
    lines = write(folder, events)
    folder.journal.write_bytes(b"".join([*lines[:-1], b'{"crc"' if torn else b"rubbish\n"]))
    done = fsck(folder, "--repair")
    assert done.returncode == 0, done.stderr
    assert "resume" not in done.stderr
    assert "the run has ended: every trial of the budget is settled" in done.stderr


def test_a_run_that_somebody_works_on_is_not_repaired(folder: RunFolder) -> None:
    lines = write(folder, recorded(2))
    folder.journal.write_bytes(b"".join([*lines[:9], b"rubbish\n", *lines[10:]]))
    with folder.lock():
        refused = fsck(folder, "--repair")
    assert refused.returncode == 1
    assert "is being written by process" in refused.stderr


def test_a_run_whose_first_event_is_lost_is_begun_by_the_rules_of_today(folder: RunFolder) -> None:
    initial = "initial: {results: [{span: 0.25, value: 0.5}], reference: {span: 0.75}, points:"
    folder.spec.write_text(SPEC.replace("initial: {points:", initial))
    begun = RunStarted(at=0.0, run=folder.name, wall="noon", points=({"span": 0.5},), in_turn=True)
    plan, _ = without(folder, [begun, WorkerJoined(at=1.0, worker="ada", slots=1)], 1)
    (started, *_) = plan.rebuilt
    assert isinstance(started, RunStarted)
    assert (started.at, started.run, started.points) == (0.0, folder.name, ({"span": 0.75}, *begun.points))
    assert [(known.parameters, known.value) for known in started.known] == [({"span": 0.25}, 0.5)]
    assert all(getattr(started, rule.name) for rule in fields(RunStarted) if isinstance(rule.default, bool))
