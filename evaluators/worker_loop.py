"""The worker's loop: it waits in one place, for the wire, children, signals, and the next moment due."""

from __future__ import annotations

import math
import os
import select
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import zmq

from evaluators.link import SILENT_AFTER, Link
from evaluators.outbox import DURABLE_FROM_S, Outbox, OutboxLockedError
from evaluators.slot import Event, Finished, Reported, Slot, Unloadable, Workload
from evaluators.wake import SignalPipe
from evaluators.worker_options import COMMAND_EVALUATOR, WorkerOptions, default_directories
from orchestrator.wire.messages import (
    PROTOCOL,
    Acknowledge,
    Cancel,
    Drain,
    Evaluate,
    FromOrchestrator,
    Goodbye,
    Heartbeat,
    Hello,
    Reject,
    Welcome,
)

INTERRUPTED: Final = 130
STANDARD_INPUT: Final = 0
WRITABLE: Final = int(zmq.POLLOUT)


class WorkerLoop:
    """A worker at work. Enter it, then `run` it once."""

    def __init__(self, options: WorkerOptions, say: Callable[[str], None]) -> None:
        """Dial, and open the outbox. Raises `OrchestratorError` or `OSError` if either cannot be."""
        self._options = options
        self._say = say
        self._session = os.urandom(8).hex()
        self._link = Link(options.connect, options.server_key, self._introduce)
        self._outbox, directory = _open_outbox(options)
        if self._outbox.damaged:
            say(f"{self._outbox.damaged} lines of {directory}/outbox.jsonl were damaged; a copy is beside it")
        self._trials = (options.trials or directory / "trials").resolve()
        self._slots = [
            Slot(directory.resolve() / f"slot-{number}.out", options.grace_s)
            for number in range(options.slots)
        ]
        self._poller = zmq.Poller()
        self._watched: dict[int, Slot] = {}
        self._queue: deque[tuple[Evaluate, bytes]] = deque()
        self._sent: dict[str, float] = {}
        self._draining = False
        self._stopping = False
        self._exit_code = 0
        self._reason = ""
        self._linger_until = math.inf
        self._last_said = ""

    def __enter__(self) -> WorkerLoop:
        self._signals = SignalPipe().__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for slot in self._slots:
            slot.close()
        self._link.close(Goodbye(reason=self._reason or (str(error) if error else "")))
        self._outbox.close()
        self._signals.__exit__(kind, error, trace)

    def run(self) -> int:
        """Until drained, interrupted or given up; the exit code."""
        poller = self._poller
        link = self._link
        poller.register(link.socket, zmq.POLLIN)
        poller.register(self._signals.fd, zmq.POLLIN)
        if self._options.exit_with_parent:
            poller.register(STANDARD_INPUT, zmq.POLLIN)
        self._say_once(f"dialling {self._options.connect}")
        writable_watched = False
        while True:
            now = time.monotonic()
            self._on_time(now)
            if self._is_done(now):
                return self._leave()
            if link.blocked != writable_watched:
                writable_watched = link.blocked
                poller.modify(link.socket, zmq.POLLIN | (WRITABLE if writable_watched else 0))
            for source, happened in poller.poll(self._wait_ms(now)):
                now = time.monotonic()
                if source is link.socket:
                    if happened & WRITABLE:
                        link.on_writable(now)
                    for message, frame in link.receive(now):
                        self._on_message(message, frame, now)
                elif source in self._watched:
                    slot = self._watched[source]
                    self._on_events(slot, slot.on_readable(now), now)
                elif source == self._signals.fd:
                    self._on_signals(now)
                elif source == STANDARD_INPUT and not os.read(STANDARD_INPUT, 4096):
                    self._reason = "its parent is gone"
                    self._stopping = True

    def _wait_ms(self, now: float) -> int | None:
        due = min(self._link.due, self._linger_until)
        for slot in self._slots:
            due = min(due, slot.due)
        # Rounded up: a wait that ends early would be repeated at once.
        return None if due == math.inf else max(0, math.ceil((due - now) * 1000))

    def _on_time(self, now: float) -> None:
        for slot in self._slots:
            if now >= slot.due:
                slot.on_time(now)
        if now >= self._link.due:
            if self._link.on_time(now, self._leases, self._draining):
                self._say_once("the orchestrator is silent; working on, and trying to reach it")
            self._resend_unanswered(now)

    def _is_done(self, now: float) -> bool:
        if self._stopping:
            return True
        if not self._draining or any(slot.task is not None for slot in self._slots):
            return False
        if not self._outbox.waiting() or self._link.welcome is None:
            return True
        if self._linger_until == math.inf:
            self._linger_until = now + SILENT_AFTER * self._link.heartbeat_s
        return now >= self._linger_until

    def _leave(self) -> int:
        """Dismiss idle children, so that they end in order; what is kept is said."""
        now = time.monotonic()
        if not self._stopping:
            for slot in self._slots:
                slot.dismiss(now)
            while any(slot.alive for slot in self._slots) and not self._stopping:
                select.select([self._signals.fd], [], [], self._options.grace_s)
                now = time.monotonic()
                self._on_signals(now)
                for slot in self._slots:
                    slot.on_time(now)
        kept = len(self._outbox)
        if kept:
            self._say(
                f"{kept} results are not acknowledged and are kept; a worker started with the same "
                "--directory sends them"
            )
        return self._exit_code

    def _introduce(self) -> Hello:
        return Hello(
            protocol=PROTOCOL,
            worker=self._options.worker_name,
            session=self._session,
            evaluators=self._options.offered,
            slots=self._options.slots,
            leases=self._leases(),
            host=socket.gethostname(),
            pid=os.getpid(),
        )

    def _leases(self) -> list[str]:
        run = self._link.run
        held = [slot.task for slot in self._slots if slot.task is not None]
        held += [task for task, _ in self._queue]
        return [task.lease for task in held if task.run == run]

    def _on_message(self, message: FromOrchestrator, frame: bytes, now: float) -> None:
        match message:
            case Evaluate():
                self._on_evaluate(message, frame, now)
            case Acknowledge():
                self._sent.pop(message.lease, None)
                self._on_disk(self._outbox.acknowledge, message.lease)
            case Heartbeat():
                pass
            case Welcome():
                self._on_welcome(message, now)
            case Cancel():
                self._on_cancel(message.lease, now)
            case Reject():
                self._on_reject(message, now)
            case Drain():
                self._reason = self._reason or "drained"
                self._draining = True
                self._stopping = self._stopping or message.now
                self._queue.clear()

    def _on_welcome(self, welcome: Welcome, now: float) -> None:
        self._link.on_welcome(welcome, now)
        if welcome.protocol != PROTOCOL:
            self._give_up(f"the orchestrator speaks protocol {welcome.protocol}, this worker {PROTOCOL}")
            return
        if welcome.evaluator not in self._options.offered:
            offered = ", ".join(f"`{name}`" for name in self._options.offered)
            self._give_up(
                f"run {welcome.run} needs the evaluator `{welcome.evaluator}`, this worker offers {offered}; "
                f"start it with --evaluator {welcome.evaluator}"
            )
            return
        self._on_disk(self._outbox.begin, welcome.run)
        if not self._draining:
            options: dict[str, Any] = dict(welcome.options)
            if self._options.command and welcome.evaluator == COMMAND_EVALUATOR:
                options["command"] = list(self._options.command)
            workload = Workload(welcome.evaluator, options, self._trials)
            for slot in self._slots:
                slot.prepare(workload, now)
                self._watch(slot)
        self._say_once(f"works for {welcome.experiment}, run {welcome.run}")
        for lease, kept in self._outbox.waiting().items():
            self._send(lease, kept, now)

    def _on_evaluate(self, task: Evaluate, frame: bytes, now: float) -> None:
        if task.run != self._link.run or not self._link.greeted:
            return
        kept = self._outbox.waiting().get(task.lease)
        if kept is not None:
            self._send(task.lease, kept, now)
            return
        if self._draining:
            return
        free = None
        for slot in self._slots:
            if slot.task is None:
                if free is None and slot.free:
                    free = slot
            elif slot.task.lease == task.lease:
                return
        if any(queued.lease == task.lease for queued, _ in self._queue):
            return
        if free is None:
            self._queue.append((task, frame))
        else:
            free.begin(task, frame, now)
            self._watch(free)

    def _on_cancel(self, lease: str, now: float) -> None:
        for slot in self._slots:
            if slot.task is not None and slot.task.lease == lease:
                slot.cancel(now)
                self._next_task(slot, now)
        self._queue = deque((task, frame) for task, frame in self._queue if task.lease != lease)

    def _on_reject(self, reject: Reject, now: float) -> None:
        if reject.code == "hello":
            self._link.on_unknown(now)
        elif reject.code in ("protocol", "evaluator"):
            self._give_up(f"the orchestrator refused this worker: {reject.reason}")
        elif reject.code == "name":
            self._link.on_name_taken(now)
            self._say_once(f"the orchestrator refused this worker's name: {reject.reason}; trying again")
        else:
            # Kept on disk, but sending it again to this orchestrator would be refused again.
            self._say_once(f"the orchestrator refused a message: {reject.reason}")
            self._sent.pop(reject.lease, None)
            self._on_disk(self._outbox.set_aside, reject.lease)

    def _on_events(self, slot: Slot, events: list[Event], now: float) -> None:
        for event in events:
            if isinstance(event, Finished):
                self._deliver(event, now)
            elif isinstance(event, Reported):
                self._link.send(event.frame)
            elif isinstance(event, Unloadable):
                self._give_up(event.reason)
        if self._queue and slot.free:
            self._next_task(slot, now)
        self._watch(slot)

    def _next_task(self, slot: Slot, now: float) -> None:
        if self._queue and slot.free and not self._draining:
            slot.begin(*self._queue.popleft(), now)

    def _deliver(self, finished: Finished, now: float) -> None:
        task = finished.task
        durable = finished.elapsed_s >= DURABLE_FROM_S
        self._on_disk(lambda: self._outbox.keep(task.run, task.lease, finished.frame, durable=durable))
        if task.run == self._link.run:
            self._send(task.lease, finished.frame, now)

    def _send(self, lease: str, frame: bytes, now: float) -> None:
        if self._link.send(frame):
            self._sent[lease] = now

    def _resend_unanswered(self, now: float) -> None:
        if not self._sent or not self._link.greeted:
            return
        patience = SILENT_AFTER * self._link.heartbeat_s
        for lease in [lease for lease, sent in self._sent.items() if now - sent >= patience]:
            del self._sent[lease]
            frame = self._outbox.waiting().get(lease)
            if frame is not None:
                self._send(lease, frame, now)

    def _on_signals(self, now: float) -> None:
        for number in self._signals.arrived():
            if number is signal.SIGCHLD:
                for slot in self._slots:
                    self._on_events(slot, slot.on_child_signal(now), now)
            elif self._draining:
                self._reason = f"interrupted by {number.name}"
                self._exit_code = INTERRUPTED
                self._stopping = True
            else:
                self._say("finishing what runs; once more to stop at once")
                self._reason = f"drained by {number.name}"
                self._draining = True
                self._queue.clear()
                self._link.beat_now(now)

    def _give_up(self, sentence: str) -> None:
        """It makes no sense to go on; what runs for another run is finished first."""
        self._say_once(sentence)
        self._reason = sentence
        self._exit_code = 2
        self._draining = True
        self._queue.clear()

    def _watch(self, slot: Slot) -> None:
        """Watch the pipe that the slot's child writes to, and no other of its."""
        responses = slot.responses
        if self._watched.get(responses) is slot:
            return
        for fd in [fd for fd, owner in self._watched.items() if owner is slot]:
            self._poller.unregister(fd)
            del self._watched[fd]
        if responses >= 0:
            self._watched[responses] = slot
            self._poller.register(responses, zmq.POLLIN)

    def _on_disk(self, act: Callable[..., None], *arguments: object) -> None:
        try:
            act(*arguments)
        except OSError as error:
            self._say_once(f"cannot write the outbox ({error.strerror}); results stay in memory meanwhile")

    def _say_once(self, sentence: str) -> None:
        if sentence != self._last_said:
            self._last_said = sentence
            self._say(sentence)


def _open_outbox(options: WorkerOptions) -> tuple[Outbox, Path]:
    directories = default_directories(options)
    for directory in directories:
        try:
            return Outbox(directory), directory
        except OutboxLockedError:
            if directory == directories[-1]:
                raise
    raise AssertionError("there is always a directory to try")
