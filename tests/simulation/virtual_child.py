"""An evaluation process without a process: it loads, computes for some virtual time, answers, or does not."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL, SIGSEGV, SIGTERM, Signals
from typing import Any

import msgspec
from virtual_world import Process, World

from evaluators.child_process import pipe
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Evaluate, Failure, Progress, Result

_load = msgspec.json.Decoder(pipe.Load).decode
_task = msgspec.json.Decoder(Evaluate).decode


def objective(parameters: Mapping[str, Any]) -> float:
    """What every evaluation computes, so that a result on the wrong trial shows."""
    x: float = parameters["x"]
    y: float = parameters.get("y", 0.0)
    return math.sin(3.0 * x) + x + y


WAVE = "wave"
"""The outcome that values are computed from, where they are: what all else computes."""
READ_AS: Mapping[str, Callable[[float], float | None]] = {
    "first": lambda wave: wave,
    "another": lambda wave: 2.0 - wave,
    "rarely there": lambda wave: wave if wave >= 1.0 else None,
}
"""What is read of a program's output, where one is run."""


def unread(way: str) -> str:
    """What is said where nothing is."""
    return f"expected output that matches {way}"


@dataclass
class Habits:
    """How evaluations go: seconds they take, the probabilities of what else may become of one, and whether
    they return ``outcomes`` in place of a value.
    """

    seconds: float = 4.0
    fails: float = 0.0
    crashes: float = 0.0
    hangs: float = 0.0
    stubborn: float = 0.0
    reports: float = 0.0
    dies_loading: float = 0.0
    outcomes: bool = False


@dataclass(eq=False)
class NoOutput:
    """A child that prints nothing."""

    path: Path = Path("out")
    fd: int = -1
    empty: bool = True

    def move(self, destination: Path) -> None:
        """Nothing is ever there to be moved."""

    def last_lines(self, count: int) -> str:
        """Nothing was printed."""
        del count
        return ""

    def close(self) -> None:
        """Nothing to delete."""


class VirtualChild:
    """Started by a slot. ``wrote`` is called when there is something to read, ``ended`` at its end."""

    responses = 1
    requests = -1

    process_id = 4711

    def __init__(
        self, owner: Process, habits: Habits, wrote: Callable[[], None], ended: Callable[[], None]
    ) -> None:
        owner.call()
        self._owner = owner
        self._world: World = owner.world
        self._habits = habits
        self._wrote = wrote
        self._told_end = ended
        self._unread: list[tuple[bytes, bytes]] = []
        self._code: int | None = None
        self._work = 0
        self._reads = ""
        self._stubborn = self._world.chosen(habits.stubborn)

    @property
    def silent(self) -> bool:
        return self._code is not None and not self._unread

    def flush(self) -> bool:
        return True

    def send(self, kind: bytes, payload: bytes) -> bool:
        self._owner.call()
        if self._code is not None:
            return False
        world, habits = self._world, self._habits
        if kind == pipe.LOAD:
            if world.chosen(habits.dies_loading):
                world.after(0.1, self._end, -SIGSEGV)
            read = _load(payload).options.get("output") or {}
            self._reads = read.get("pattern", "")
            world.after(0.1 + 0.4 * world.chance.random(), self._write, self._work, pipe.LOADED, b"")
        elif kind == pipe.EVALUATE:
            self._evaluate(_task(payload))
        return True

    def _evaluate(self, task: Evaluate) -> None:
        world, habits = self._world, self._habits
        self._work += 1
        took = habits.seconds * (0.25 + 1.5 * world.chance.random())
        fate = world.chance.random()
        if (fate := fate - habits.hangs) < 0.0:
            return
        if (fate := fate - habits.crashes) < 0.0:
            world.after(took, self._end, -SIGSEGV)
            return
        if world.chosen(habits.reports):
            report = Progress(lease=task.lease, step=1, values={"loss": took})
            world.after(took / 2, self._write, self._work, pipe.PROGRESS, encode(report))
        if (fate := fate - habits.fails) < 0.0:
            failure = Failure(
                run=task.run, lease=task.lease, trial=task.trial, kind="error", message="bad", elapsed_s=took
            )
            last = pipe.OUTCOME if world.chance.random() < 0.7 else pipe.LAST_OUTCOME
            world.after(took, self._write, self._work, last, encode(failure))
            return
        world.after(took, self._write, self._work, pipe.OUTCOME, encode(self._outcome(task, took)))

    def _outcome(self, task: Evaluate, took: float) -> Result | Failure:
        """What it computed, as it is read."""
        wave = objective(task.parameters)
        if self._habits.outcomes:
            return Result(
                run=task.run, lease=task.lease, trial=task.trial, extras={WAVE: wave}, elapsed_s=took
            )
        value = READ_AS[self._reads](wave) if self._reads else wave
        if value is None:
            said = unread(self._reads)
            return Failure(
                run=task.run,
                lease=task.lease,
                trial=task.trial,
                kind="invalid",
                message=said,
                elapsed_s=took,
            )
        return Result(run=task.run, lease=task.lease, trial=task.trial, value=value, elapsed_s=took)

    def _write(self, work: int, kind: bytes, payload: bytes) -> None:
        if self._code is not None or work != self._work or not self._owner.alive:
            return
        self._unread.append((kind, payload))
        self._wrote()
        if kind == pipe.LAST_OUTCOME:
            self._end(0)

    def _end(self, code: int) -> None:
        if self._code is None and self._owner.alive:
            self._code = code
            self._told_end()

    def receive(self) -> list[tuple[bytes, bytes]]:
        unread, self._unread = self._unread, []
        return unread

    receive_rest = receive

    def signal(self, number: Signals) -> None:
        self._owner.call()
        if number is SIGKILL or (number is SIGTERM and not self._stubborn):
            self._world.after(0.05, self._end, -number)

    def has_ended(self) -> bool:
        return self._code is not None

    def kill(self, within_s: float) -> bool:
        del within_s
        self.reap()
        return True

    def reap(self) -> int:
        self._code = -SIGKILL if self._code is None else self._code
        return self._code

    def dismiss(self) -> None:
        self._owner.call()
        self._world.after(0.1, self._end, 0)
