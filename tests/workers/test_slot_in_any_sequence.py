"""Whatever happens to a slot and its child, in whatever order: it waits for nothing that does not come, and
no task is lost, or evaluated as another workload says, or with what another task has of its own.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from scripted_child import WORKLOAD, ScriptedChild, SlotBench, task_of

from evaluators.child_process import pipe
from evaluators.worker_process.slot_events import Event, Finished, Unloadable
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Evaluate

WORKLOADS = (WORKLOAD, replace(WORKLOAD, options={"mesh": "fine"}))
ALONE, WITH_ANOTHER = {"GPU": "0"}, {"GPU": "0,1"}
LIVES = 1500
"""Each of up to STEPS steps: the life of a slot is short, and what may befall it little."""
STEPS = 25


class Life:
    """Of one slot, and of its children one after another."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.bench = SlotBench(own=ALONE)
        self.slot = self.bench.slot
        self.now = 0.0
        self.asked_for = WORKLOAD
        self.tasks: dict[bytes, tuple[Evaluate, bytes, Mapping[str, str]]] = {}
        """By their frames, with what loads the workload that was asked for as they were given, and what they
        have of their own."""
        self.owed: Evaluate | None = None
        self.usable = True
        self.dismissed = False

    @property
    def child(self) -> ScriptedChild | None:
        return self.bench.child if self.slot.alive else None

    def steps(self) -> list[Callable[[], None]]:
        """What may happen now."""
        found = [self.time_passes, self.the_system_has_processes_or_none]
        if self.usable and not self.dismissed:
            found += [self.a_run_greets, self.the_worker_leaves]
            found += [self.a_task_comes] * 2 if self.slot.free else []
        if self.slot.task is not None:
            found.append(self.it_is_called_off)
        child = self.child
        if child is not None:
            found += [self.the_child_ends, self.its_end_is_noticed, self.the_child_closes_its_pipe]
            if not child.silent and not child.has_loaded:
                found += [self.the_child_has_loaded] * 2
            elif not child.silent and child.busy:
                found += [self.the_child_says_of_its_task] * 2
        return found

    def take(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Unloadable):
                self.usable, self.owed = False, None
            elif isinstance(event, Finished):
                assert event.task is self.owed, "it is told of once, and not once it is called off"
                assert event.elapsed_s >= 0.0
                self.owed = None

    def time_passes(self) -> None:
        end = self.now + self.chance.choice([0.5, 3.0, 400.0])
        while self.slot.due <= end:
            self.now = max(self.now, self.slot.due)
            self.take(self.slot.on_time(self.now))
        self.now = end

    def the_system_has_processes_or_none(self) -> None:
        self.bench.full = not self.bench.full

    def a_run_greets(self) -> None:
        self.asked_for = self.chance.choice(WORKLOADS)
        self.slot.prepare(self.asked_for, self.now)

    def the_worker_leaves(self) -> None:
        if self.chance.random() < 0.2:
            self.dismissed = True
            self.slot.dismiss(self.now)

    def a_task_comes(self) -> None:
        task = self.owed = task_of(f"1.{len(self.tasks)}", self.chance.choice([None, 60.0]))
        own = self.chance.choice([ALONE, ALONE, WITH_ANOTHER])
        self.tasks[encode(task)] = (task, self.asked_for.request(), own)
        self.bench.begin(task, self.now, own)

    def it_is_called_off(self) -> None:
        self.owed = None
        self.slot.cancel(self.now)

    def the_child_has_loaded(self) -> None:
        self.bench.child.has_loaded = True
        self.take(self.bench.says(pipe.LOADED, b"", self.now))

    def the_child_says_of_its_task(self) -> None:
        kind = self.chance.choice([pipe.PROGRESS, pipe.NO_ROOM, pipe.OUTCOME, pipe.LAST_OUTCOME])
        self.bench.child.busy = kind == pipe.PROGRESS
        self.take(self.bench.says(kind, b"said", self.now))

    def the_child_closes_its_pipe(self) -> None:
        self.bench.child.silent = True
        self.take(self.slot.on_readable(self.now))

    def the_child_ends(self) -> None:
        self.bench.child.ended = self.bench.child.silent = True

    def its_end_is_noticed(self) -> None:
        self.take(self.slot.on_child_ended(self.now))

    def check(self) -> None:
        """What has to come has its time, and a task went only to a child that loaded what was asked for."""
        assert self.slot.due < math.inf or not self.waits()
        for child in self.bench.children:
            (_, load), *_ = child.sent
            assert all(self.tasks[frame][1:] == (load, child.own) for frame in child.given())

    def waits(self) -> bool:
        """Whether something has to come that nobody but the clock may bring about."""
        child = self.child
        if child is None:
            return self.owed is not None and not self.dismissed
        if child.ended or signal.SIGKILL in child.signals:
            return False
        if child.dismissed or child.silent or child.signals or not child.has_loaded:
            return True
        has_time = child.busy and self.tasks[child.given()[-1]][0].timeout_s is None
        return self.slot.task is not None and not has_time

    def end_well(self) -> None:
        """From here on nothing goes wrong: what it was given is finished, and it is ready for more."""
        self.bench.full = False
        for _ in range(8):
            child = self.child
            if child is None:
                self.time_passes()
            elif child.ended or signal.SIGKILL in child.signals:
                self.the_child_ends()
                self.its_end_is_noticed()
            elif not child.silent and not child.has_loaded:
                self.the_child_has_loaded()
            elif not child.silent and child.busy:
                child.busy = False
                self.take(self.bench.says(pipe.OUTCOME, b"said", self.now))
            else:
                self.now += 10.0
                self.take(self.slot.on_time(self.now))
            self.check()
        assert self.owed is None or self.dismissed
        assert self.slot.free or not self.usable or self.dismissed
        assert not self.dismissed or not self.slot.alive


def test_whatever_happens_no_task_is_lost_and_none_is_evaluated_as_another_run_says() -> None:
    for seed in range(LIVES):
        chance = Random(seed)
        life = Life(chance)
        happened: list[str] = []
        try:
            for _ in range(chance.randrange(STEPS)):
                step = chance.choice(life.steps())
                happened.append(step.__name__)
                step()
                life.check()
            life.end_well()
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {', '.join(happened)}") from error
