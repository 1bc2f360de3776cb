"""The optimiser's end of the pipes in a thread, and what it is sent there."""

from __future__ import annotations

import errno
import os
import select
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from run_lab import PATIENCE_S, eventually
from slow_algorithm import SlowAlgorithm

from orchestrator.algorithms.base import Algorithm
from orchestrator.parameters.space import FloatParameter, Space
from orchestrator.runtime.optimiser.messages import (
    Answer,
    RefitDone,
    Reply,
    decode_reply,
    encode_requests,
)
from orchestrator.runtime.optimiser.own_terms import OwnTerms
from orchestrator.runtime.optimiser.server import OptimiserServer
from orchestrator.scheduler.commands import AdoptRefit, Ask, OptimiserCommand, Rebuild, Tell

R = TypeVar("R")


@dataclass
class Served:
    """A server on pipes, in a thread; `send` it commands, `expect` its replies."""

    algorithm: SlowAlgorithm
    minimise: bool = False
    only_when_asked: bool = False
    anew: Callable[[], SlowAlgorithm] = SlowAlgorithm
    seen: list[Reply] = field(default_factory=list)

    def __post_init__(self) -> None:
        requests, self._to = os.pipe()
        self._from, replies = os.pipe()
        first = Rebuild(model=0, bounds={"x": (0.0, 10.0)})
        server = OptimiserServer(self._rebuilt, first, output=replies, only_when_asked=self.only_when_asked)
        self._thread = threading.Thread(target=server.serve, args=(requests,), daemon=True)
        self._thread.start()
        self._ends = (requests, replies)
        self._file = os.fdopen(self._from, "rb")

    def _rebuilt(self, command: Rebuild) -> tuple[OwnTerms, Algorithm]:
        space = Space((FloatParameter("x", *command.bounds["x"]),))
        terms = OwnTerms(space, -1.0 if self.minimise else 1.0, None, None, (), 0)
        return terms, self.anew() if command.model else self.algorithm  # type: ignore[return-value]

    def send(self, *commands: OptimiserCommand) -> None:
        os.write(self._to, encode_requests(commands))

    def send_in_pieces(self, *commands: OptimiserCommand, cut: int) -> None:
        """The first piece, up to ``cut``, is read before the second is written."""
        block = encode_requests(commands)
        os.write(self._to, block[:cut])
        eventually(lambda: not select.select([self._ends[0]], [], [], 0.0)[0])
        os.write(self._to, block[cut:])

    def expect(self, kind: type[R]) -> R:
        reply = decode_reply(self._file.readline().rstrip(b"\n"))
        self.seen.append(reply)
        assert isinstance(reply, kind), reply
        return reply

    def close(self) -> None:
        os.close(self._to)
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
        for end in self._ends:
            os.close(end)
        self._file.close()


def ask(number: int, patience_s: float | None = None, count: int = 1) -> Ask:
    return Ask(ask=number, count=count, first_trial=number, pending=(), patience_s=patience_s)


def tell(trial: int, value: float | None = 1.0, seconds: float | None = None) -> Tell:
    return Tell(trial=trial, parameters={"x": 5.0}, value=value, seconds=seconds)


def adopt(done: RefitDone) -> AdoptRefit:
    return AdoptRefit(number=done.number, observations=done.observations, payload=done.payload)


def bounded(low: float, high: float, model: int = 1) -> Rebuild:
    return Rebuild(model=model, bounds={"x": (low, high)}, trials=20)


def no_room() -> int:
    """In the place of `os.fork`, where memory or process numbers are short."""
    raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))


def what_it_knew(answer: Answer) -> tuple[int, int]:
    """How many values the algorithm had been told, and the last refit it had adopted."""
    words = answer.insight["notes"][0].split()
    return int(words[0]), int(words[2])
