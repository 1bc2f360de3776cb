"""A monitor that acts when a run opens, and a worker, played by the test, that is there from then on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import zmq
from run_lab import PATIENCE_S

from orchestrator.runtime.monitor import Opening
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.state import State
from orchestrator.wire.messages import Evaluate, Heartbeat, Result
from orchestrator.wire.scripted import ScriptedWorker

EVALUATOR = "workloads_for_runs:quick"
BEATS_EVERY_S = 0.5


@dataclass
class Watching:
    """A monitor that acts when the run opens: the socket is bound then, and the loop not begun."""

    on_opened: Callable[[Opening], None]
    first: Event | None = None
    noted_so_far: list[str] = field(default_factory=list)
    completed_at_the_end: int | None = None

    def opened(self, opening: Opening) -> None:
        self.on_opened(opening)

    def observed(self, event: Event, state: State) -> None:
        del state
        self.first = self.first or event

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None: ...

    def noted(self, level: str, sentence: str) -> None:
        del level
        self.noted_so_far.append(sentence)

    def ticked(self, state: State, now: float) -> None: ...

    def closed(self, state: State) -> None:
        self.completed_at_the_end = state.tally.completed


def early_worker(address: str) -> ScriptedWorker:
    """One whose hello has left it before this returns."""
    worker = ScriptedWorker(address, "early", EVALUATOR)
    worker._socket.disconnect(address)
    worker._socket.setsockopt(zmq.IMMEDIATE, 1)
    worker._socket.connect(address)
    # Writable only once there is a connection.
    assert worker._socket.poll(60_000, zmq.POLLOUT)
    worker.hello()
    return worker


def work(worker: ScriptedWorker, until: type[object]) -> None:
    """Evaluate what comes, up to a message of a kind; or nothing more, if its run has broken off.

    It beats meanwhile: on a busy machine an optimiser may take longer to begin than a worker may be silent.
    """
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        message = worker.receive(BEATS_EVERY_S)
        if message is None:
            worker.send(Heartbeat())
        elif isinstance(message, Evaluate):
            worker.send(Result(run=message.run, lease=message.lease, trial=message.trial, value=1.0))
        elif isinstance(message, until):
            return
