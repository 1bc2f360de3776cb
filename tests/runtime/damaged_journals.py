"""Journals to be damaged, and what is to hold of a run whose journal was mended."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from command_here import Done, done_here
from policies import policy_with

from orchestrator.runtime.folder.journal import JournalWriter, read_journal
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import RepairPlan, plan_repair, repair
from orchestrator.scheduler.commands import Ask, Command, Evaluate
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
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State

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


def folder_of_a_run(path: Path) -> RunFolder:
    """With the spec, and no journal yet."""
    (path / "spec.yaml").write_text(SPEC)
    return RunFolder(path)


def worth(parameters: Mapping[str, Any]) -> float:
    """The true value: a value that got other parameters than its own is found out."""
    return 2.0 * float(parameters["span"])


def recorded(seed: int) -> list[Event]:
    """A run of two workers to its last trial but a few, with failures on the way."""
    rng = random.Random(seed)
    scheduler = Scheduler(policy_with(trials=TRIALS))
    events: list[Event] = []
    waiting: list[Command] = []

    def happen(event: Event) -> None:
        events.append(event)
        waiting.extend(scheduler.handle(event))

    happen(RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)))
    for name in ("ada", "bea"):
        happen(WorkerJoined(at=1.0, worker=name, slots=rng.randint(1, 2)))
    while scheduler.state.tally.completed < TRIALS - 3:
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


def write(folder: RunFolder, events: list[Event]) -> list[bytes]:
    folder.journal.unlink(missing_ok=True)
    journal = JournalWriter.create(folder.journal, "test")
    journal.append(events)
    journal.commit()
    journal.close()
    return folder.journal.read_bytes().splitlines(keepends=True)


def mended(folder: RunFolder) -> tuple[RepairPlan, State]:
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


def without(folder: RunFolder, events: list[Event], *lost: int) -> tuple[RepairPlan, State]:
    """The plan, and the state after the repair, of a journal from which some lines are cut out."""
    lines = write(folder, events)
    folder.journal.write_bytes(b"".join(line for place, line in enumerate(lines) if place not in lost))
    plan = plan_repair(folder, examine(folder.journal), NOW)
    repair(plan)
    replay = Replay.of(folder)
    replay.catch_up()
    assert not violations(replay.scheduler.state)
    return plan, replay.scheduler.state


def _to_the_end(scheduler: Scheduler) -> None:
    """A worker comes, and everything that is left is evaluated."""
    at = scheduler.state.at
    waiting = scheduler.handle(WorkerJoined(at=at, worker="new", slots=3))
    if scheduler.state.optimiser.asking is not None and not any(isinstance(one, Ask) for one in waiting):
        ask = Ask(
            ask=scheduler.state.optimiser.asks,
            count=scheduler.state.optimiser.asking,
            first_trial=0,
            pending=(),
        )
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


def fsck(folder: RunFolder, *arguments: str) -> Done:
    return done_here(folder.path, "fsck", str(folder.path), *arguments)


def early(events: list[Event]) -> int:
    """The line of a result from the first quarter of a run: nearly everything is behind it."""
    lines = [place for place, event in enumerate(events, start=1) if isinstance(event, ResultArrived)]
    return lines[TRIALS // 4]


def number_at(events: list[Event], line: int) -> int:
    event = events[line - 1]
    assert isinstance(event, ResultArrived)
    number = trial_of(event.lease)
    assert number is not None
    return number
