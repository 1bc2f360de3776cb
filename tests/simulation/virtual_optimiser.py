"""The optimiser's process: told and asked over a pipe, refitting beside, dying in any of the three.

Its answer is a function of everything told, in order, and of the ask: like a real algorithm's, it shows if a
history was told in another way.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

from virtual_world import Process, World

from orchestrator.runtime.optimiser_messages import (
    AdoptRequest,
    Answer,
    AskRequest,
    RefitBegun,
    RefitDone,
    RefitFailed,
    Reply,
    Request,
    TellRequest,
    decode_reply,
    decode_request,
    encode_reply,
    encode_request,
)
from orchestrator.runtime.recover import OptimiserHistory
from orchestrator.scheduler.commands import AdoptRefit, Ask, OptimiserCommand, Tell
from orchestrator.scheduler.events import Suggested

RESTARTS_WITHOUT_AN_ANSWER = 3
RESTART_S = 0.5


class Conversation(Protocol):
    """Who listens in, to compare what is said with the journal."""

    def told(self, before: list[Tell | AdoptRefit], command: Tell | AdoptRefit) -> None: ...
    def answers(self, before: list[Tell | AdoptRefit], ask: Ask) -> None: ...


class OptimiserProcess(Process):
    """One process: takes requests in order; only a refit is computed beside them."""

    def __init__(self, feed: VirtualOptimiser, number: int) -> None:
        super().__init__(feed.world, f"optimiser {number}")
        self._feed = feed
        self._waiting: deque[Request] = deque()
        self._before: list[Tell | AdoptRefit] = []
        self._busy = False
        self._told = 0
        self._refitting = False
        self._refits = 0
        self.dies_in = ""

    def receive(self, block: bytes) -> None:
        self._waiting.extend(decode_request(line) for line in block.splitlines())
        self._go_on()

    def _go_on(self) -> None:
        while self._waiting and not self._busy and self.alive:
            request = self._waiting.popleft()
            if isinstance(request, AskRequest):
                self._busy = True
                patience = request.command.patience_s
                waits = 0.0 if not self._refitting or patience is None else min(patience, 2.0)
                seconds = waits + self._feed.ask_s * self.world.chance.random()
                self.world.after(seconds, self.do, self._answer, request.command)
                self._maybe_die("ask", seconds * self.world.chance.random())
            elif isinstance(request, TellRequest | AdoptRequest):
                self._feed.conversation.told(self._before, request.command)
                self._before.append(request.command)
                if isinstance(request, TellRequest):
                    self._told += 1
                    self._maybe_die("tell", 0.0)
                else:
                    self._refits = max(self._refits, request.command.number)
        self._refit_if_due()

    def _maybe_die(self, where: str, after: float) -> None:
        if self.dies_in == where:
            self.world.after(after, self._die)

    def _die(self) -> None:
        if self.alive:
            self.world.note("%s dies in %s", self.name, self.dies_in or "passing")
            self.die()

    def _answer(self, ask: Ask) -> None:
        self._busy = False
        self._feed.conversation.answers(self._before, ask)
        count = min(ask.count, max(0, self._feed.points - ask.first_trial + 1))
        digest = zlib.crc32(repr((self._before, ask.ask, ask.first_trial)).encode())
        made = [
            Suggested(parameters={"x": ((digest + 7919 * k) % 100_003) / 100_003.0}, mean=0.5)
            for k in range(count)
        ]
        self._reply(Answer(ask.ask, made, self._feed.ask_s / 2, {"weights": {"told": float(self._told)}}))
        self._go_on()

    def _refit_if_due(self) -> None:
        every = self._feed.refit_every
        if every and not self._refitting and self._told // every > self._refits:
            self._refitting = True
            number = self._told // every
            self._reply(RefitBegun(number, self._told))
            seconds = 3.0 * self.world.chance.random()
            self.world.after(seconds, self.do, self._refitted, number, self._told)
            self._maybe_die("refit", seconds * self.world.chance.random())

    def _refitted(self, number: int, observations: int) -> None:
        self._refits = max(self._refits, number)
        self._refitting = False
        if self.world.chosen(self._feed.refit_fails):
            self._reply(RefitFailed(number, "not positive definite"))
        else:
            self._reply(RefitDone(number, observations, {"scale": [observations / 10]}, 1.0))
        self._go_on()

    def _reply(self, reply: Reply) -> None:
        self.world.after(0.001, self._feed.replied, self, encode_reply(reply))

    def die(self) -> None:
        super().die()
        self.world.after(0.01, self._feed.ended, self)


class VirtualOptimiser:
    """Feeds a process, hears it, and starts another when it ends: all that `OptimiserProcess` promises."""

    def __init__(
        self,
        owner: Process,
        history: OptimiserHistory,
        conversation: Conversation,
        on_reply: Callable[[Reply], None],
        on_failure: Callable[[str], None],
    ) -> None:
        self.world: World = owner.world
        self.conversation = conversation
        self.ask_s = 1.0
        self.refit_every = 0
        self.refit_fails = 0.1
        self.points = 1_000_000
        self._owner = owner
        self._history = history
        self._on_reply = on_reply
        self._on_failure = on_failure
        self._fruitless = 0
        self._births = 0
        self.process: OptimiserProcess | None = None

    def start(self) -> None:
        """A process is started, and told the whole history."""
        self._births += 1
        self.process = OptimiserProcess(self, self._births)
        self.send(self._history.commands)

    def send(self, commands: Iterable[OptimiserCommand]) -> None:
        """Hand commands over, which are in the history already."""
        block = b"".join(encode_request(command) for command in commands)
        if block and self.process is not None:
            self._owner.call()
            self.world.after(0.001, self.process.do, self.process.receive, block)

    def replied(self, process: OptimiserProcess, line: bytes) -> None:
        """A line came from a process, which may be dead by now."""
        if process is self.process:
            reply = decode_reply(line)
            if isinstance(reply, Answer):
                self._fruitless = 0
            self._owner.do(self._on_reply, reply)

    def ended(self, process: OptimiserProcess) -> None:
        """A process has ended."""
        if process is not self.process or not self._owner.alive:
            return
        self.process = None
        self._fruitless += 1
        if self._fruitless > RESTARTS_WITHOUT_AN_ANSWER:
            self._owner.do(self._on_failure, "it died too often")
        else:
            self.world.after(RESTART_S, self._owner.do, self.start)

    def end(self) -> None:
        """Its owner is gone."""
        if self.process is not None:
            self.process.alive = False
            self.process = None
