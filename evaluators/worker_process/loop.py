"""The worker's loop: it waits in one place, for the wire, children, signals, and the next moment due."""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final

import zmq

from evaluators.output import BOUND_EVERY_S, OutputFile
from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.deserted import Deserted
from evaluators.worker_process.duties import Duties
from evaluators.worker_process.options import WorkerOptions, default_directories
from evaluators.worker_process.outbox import Outbox, OutboxLockedError
from evaluators.worker_process.slot import Slot
from evaluators.worker_process.slots_closed import KILLED_WITHIN_S
from evaluators.worker_process.stopped import LOOKS_EVERY_S, stop_between
from evaluators.worker_process.wake import SignalPipe
from orchestrator.system.path_text import refuse_unsayable
from orchestrator.wire.dealer import Dealer
from orchestrator.wire.reached import dialling_on
from orchestrator.wire.unanswered import Unanswered

STANDARD_INPUT: Final = 0
WRITABLE: Final = int(zmq.POLLOUT)


class WorkerLoop:
    """A worker at work. Enter it, then `run` it once."""

    def __init__(self, options: WorkerOptions, say: Callable[[str], None]) -> None:
        """Dial, and open the outbox. Raises `OrchestratorError` or `OSError` if either cannot be."""
        self._options = options
        dealer = Dealer(options.connect, options.credentials)
        self._dealer = dealer
        self._socket = dealer.socket
        self._say = say
        self._unanswered = Unanswered(options.connect, time.monotonic())
        self._refusals_said: set[str] = set()
        refuse_unsayable(options.trials or default_directories(options)[0], "name another: --directory DIR")
        outbox, directory = _open_outbox(options)
        if outbox.damaged:
            say(f"{outbox.damaged} lines of {directory}/outbox.jsonl were damaged; a copy is beside it")
        self._outputs = [
            OutputFile(directory.resolve() / f"slot-{number}.out") for number in range(options.slots)
        ]
        self._slots = [
            Slot(output, options.grace_s, say, own=own)
            for output, own in zip(self._outputs, map(options.own_of, range(options.slots)), strict=True)
        ]
        self._bound_at = math.inf
        self._woke = time.monotonic()
        trials = TrialFolders((options.trials or directory / "trials").resolve(), options.one_run)
        self._duties = Duties(options, dealer, outbox, self._slots, trials, say)
        link, is_busy = self._duties.link, lambda: self._duties.is_busy
        self._deserted = Deserted(link, options.connect, options.wait_s, time.monotonic(), is_busy)
        self._poller = zmq.Poller()
        self._watched: dict[int, Slot] = {}
        self._crowded: dict[int, Slot] = {}

    def __enter__(self) -> WorkerLoop:
        self._signals = SignalPipe().__enter__()
        self._duties.begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._duties.leave(str(error) if error else "")
        self._signals.__exit__(kind, error, trace)

    def run(self) -> int:
        """Until drained, interrupted or given up; the exit code."""
        poller = self._poller
        duties = self._duties
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._dealer.monitor, zmq.POLLIN)
        poller.register(self._signals.fd, zmq.POLLIN)
        if self._options.exit_with_parent:
            poller.register(STANDARD_INPUT, zmq.POLLIN)
        writable_watched = False
        while True:
            now = time.monotonic()
            duties.on_time(now)
            self._dealer.on_time(now)
            # One that was given up for another does not say so.
            self._unanswered.connected(self._dealer.connected, now)
            if sentence := self._unanswered.on_time(now):
                self._say(dialling_on(sentence))
            if why := self._deserted.on_time(now):
                duties.give_up(why)
            if duties.is_done(now):
                return self._leave()
            self._bound_outputs(now)
            if duties.link.blocked != writable_watched:
                writable_watched = duties.link.blocked
                poller.modify(self._socket, zmq.POLLIN | (WRITABLE if writable_watched else 0))
            for slot in self._slots:
                self._watch(slot)
            self._watch_crowded()
            for source, happened in self._wait(now):
                self._attend_to(source, happened, time.monotonic())

    def _wait(self, now: float) -> list[tuple[object, int]]:
        """For what comes, or is due; what stops this process meanwhile stops its evaluations as well."""
        wait_ms = self._wait_ms(now)
        happened = self._poller.poll(wait_ms)
        woke_before, self._woke = self._woke, time.monotonic()
        if wait_ms is not None:
            stop = stop_between(woke_before, wait_ms / 1000.0, self._woke)
            if stop is not None:
                self._deserted.excuse(stop)
                for slot in self._slots:
                    slot.excuse(stop)
        return happened

    def _attend_to(self, source: object, happened: int, now: float) -> None:
        """One of those watched has something, or has room."""
        duties = self._duties
        if source is self._socket:
            if happened & WRITABLE:
                duties.on_writable(now)
            duties.on_messages(now)
        elif source is self._dealer.monitor:
            self._say_refusals()
        elif source in self._watched:
            duties.on_child_wrote(self._watched[source], now)
        elif source in self._crowded:
            self._crowded[source].on_writable()
        elif source == self._signals.fd:
            self._on_signals(now)
        elif source == STANDARD_INPUT and not os.read(STANDARD_INPUT, 4096):
            self._poller.unregister(STANDARD_INPUT)
            duties.on_orphaned(now)

    def _say_refusals(self) -> None:
        """ZeroMQ dials on and on without a word; each reason is said once."""
        for sentence in self._dealer.refusals():
            self._unanswered.refused(time.monotonic())
            if sentence not in self._refusals_said:
                self._refusals_said.add(sentence)
                self._say(dialling_on(sentence))

    def _bound_outputs(self, now: float) -> None:
        """Now and then while something runs: an evaluator that prints without end must not fill the disk."""
        if now >= self._bound_at:
            for output in self._outputs:
                output.bound()
            self._bound_at = math.inf
        if all(slot.task is None for slot in self._slots):
            self._bound_at = math.inf
        elif self._bound_at == math.inf:
            self._bound_at = now + BOUND_EVERY_S

    def _wait_ms(self, now: float) -> int | None:
        due = min(
            self._duties.due, self._unanswered.due, self._deserted.due, self._bound_at, self._dealer.due
        )
        if self._duties.is_busy or min(self._deserted.due, *(slot.due for slot in self._slots)) < math.inf:
            due = min(due, now + LOOKS_EVERY_S)
        # Rounded up: a wait that ends early would be repeated at once.
        return None if due == math.inf else max(0, math.ceil((due - now) * 1000))

    def _on_signals(self, now: float) -> None:
        for number in self._signals.arrived():
            if number is signal.SIGCHLD:
                self._duties.on_children_ended(now)
            else:
                self._duties.on_interrupt(number.name, now)

    def _leave(self) -> int:
        """Let children end in order, as one may hold hardware; not where a person asked twice."""
        now = time.monotonic()
        if not self._duties.hurried:
            for slot in self._slots:
                slot.dismiss(now)
            signals = zmq.Poller()
            signals.register(self._signals.fd, zmq.POLLIN)
            until = now + self._options.grace_s + KILLED_WITHIN_S
            while any(slot.alive for slot in self._slots) and not self._duties.hurried and now < until:
                signals.poll(math.ceil(1000 * min(self._options.grace_s, until - now)))
                now = time.monotonic()
                self._on_signals(now)
                for slot in self._slots:
                    slot.on_time(now)
        self._duties.say_what_is_kept()
        return self._duties.exit_code

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

    def _watch_crowded(self) -> None:
        """Watch the pipes to children in which something waits for room, and only those."""
        crowded = {slot.requests: slot for slot in self._slots if slot.requests >= 0}
        for fd in self._crowded.keys() - crowded.keys():
            self._poller.unregister(fd)
        for fd in crowded.keys() - self._crowded.keys():
            self._poller.register(fd, zmq.POLLOUT)
        self._crowded = crowded


def _open_outbox(options: WorkerOptions) -> tuple[Outbox, Path]:
    directories = default_directories(options)
    for directory in directories:
        try:
            return Outbox(directory), directory
        except OutboxLockedError:
            if directory == directories[-1]:
                raise
    raise AssertionError("there is always a directory to try")
