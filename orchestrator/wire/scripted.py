"""Either side of the wire, played step by step by a script: for tests of the other side.

A script sends what it likes and says what it expects next; what does not come, or comes instead, is a
`Breach`. Nothing is answered unasked but heartbeats.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Generic, Self, TypeVar

import zmq

from orchestrator.wire.codec import (
    MalformedMessage,
    decode_from_orchestrator,
    decode_from_worker,
    encode,
)
from orchestrator.wire.messages import (
    PROTOCOL,
    Evaluate,
    FromOrchestrator,
    FromWorker,
    Heartbeat,
    Hello,
    Message,
    Progress,
    Reject,
    Welcome,
)

PATIENCE_S = 60.0
"""How long an expected message may take, unless said otherwise."""
_LOOK_S = 0.5
"""What was sent by one that is gone has come by then."""

Received = TypeVar("Received", bound=Message)
Wanted = TypeVar("Wanted", bound=Message)


class Breach(AssertionError):
    """The other side did not do what the protocol says."""


class _Script(Generic[Received]):
    """What both sides share: expecting and not expecting."""

    _socket: zmq.Socket[bytes]

    def _take(self) -> Received:
        raise NotImplementedError

    def _gone(self) -> str:
        """Why nothing more can come, if nothing can."""
        return ""

    def receive(self, within_s: float = PATIENCE_S) -> Received | None:
        """The next message, whatever it is; None if none comes in time. Raises `Breach` for what is none."""
        if not self._socket.poll(max(0, round(within_s * 1000))):
            return None
        return self._take()

    def expect(
        self,
        *kinds: type[Wanted],
        within_s: float = PATIENCE_S,
        passing_over: Sequence[type[Message]] = (Heartbeat, Progress),
    ) -> Wanted:
        """The next message, which must be of a kind. Raises `Breach` if another comes, or none in time."""
        wanted = " or ".join(kind.__name__ for kind in kinds)
        deadline = time.monotonic() + within_s
        while (remaining := deadline - time.monotonic()) > 0:
            gone = self._gone()
            message = self.receive(min(remaining, _LOOK_S))
            if isinstance(message, kinds):
                return message
            if message is None and gone:
                raise Breach(f"expected {wanted}, none came: {gone}")
            if message is not None and not isinstance(message, tuple(passing_over)):
                raise Breach(f"expected {wanted}, got {message}")
        raise Breach(f"expected {wanted} within {within_s:g} s, none came")

    def expect_none(self, kind: type[Message], during_s: float) -> None:
        """Raises `Breach` if a ``kind`` comes; anything else is passed over."""
        deadline = time.monotonic() + during_s
        while (remaining := deadline - time.monotonic()) > 0:
            message = self.receive(remaining)
            if isinstance(message, kind):
                raise Breach(f"expected no {kind.__name__}, got {message}")

    def close(self) -> None:
        """Hang up at once, like a process that is killed."""
        self._socket.close(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _understood(frames: Sequence[bytes], decode: Callable[[bytes], Received]) -> Received:
    """The message that has come. Raises `Breach` where it is none."""
    if len(frames) != 1:
        raise Breach(f"expected a message of one frame, without a delimiter, got {len(frames)} frames")
    try:
        return decode(frames[0])
    except MalformedMessage as error:
        raise Breach(f"expected a message of the protocol, got {frames[0][:200]!r}: {error}") from None


class ScriptedOrchestrator(_Script[FromWorker]):
    """An orchestrator for one worker at a time: it talks to whoever spoke last.

    ``answering`` heartbeats can be switched off, to play one that has gone. A worker takes it for gone, and
    sends again what was not acknowledged, after five times ``heartbeat_s``: by default, longer than a script
    or a busy machine pauses. ``gone`` says why nothing more can come from the worker, if nothing can.
    """

    def __init__(
        self,
        evaluator: str,
        *,
        address: str = "tcp://127.0.0.1:*",
        run: str = "run-1",
        options: dict[str, object] | None = None,
        parameters: Sequence[str] = (),
        heartbeat_s: float = 4.0,
        objective: str = "",
        gone: Callable[[], str] = lambda: "",
    ) -> None:
        self.run = run
        self._why_gone = gone
        self.answering = True
        self.assignment = Welcome(
            protocol=PROTOCOL,
            run=run,
            experiment="conformance",
            evaluator=evaluator,
            options=options or {},
            parameters=list(parameters),
            heartbeat_s=heartbeat_s,
            objective=objective,
        )
        self._peer = b""
        self._heard: Hello | None = None
        self._welcomed: Hello | None = None
        self._welcome = self.assignment
        self._welcomed_at = b""
        self._socket = zmq.Context.instance().socket(zmq.ROUTER)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                self._socket.bind(address)
                break
            except zmq.ZMQError:
                # A predecessor's port is given back by another thread, a moment after its close.
                if time.monotonic() > deadline:
                    raise
                self._socket.poll(10)
        self.address: str = self._socket.get_string(zmq.LAST_ENDPOINT)

    def receive(self, within_s: float = PATIENCE_S) -> FromWorker | None:
        """The next message, whatever it is, but for a hello that was said again before its welcome had come:
        nothing else comes between the two. Over another connection, as of one that was held up for so long
        that it took this side for gone, it has its welcome again. None if none comes in time.
        """
        deadline = time.monotonic() + within_s
        while (message := super().receive(deadline - time.monotonic())) is not None:
            if not isinstance(message, Hello):
                self._welcomed = None
            elif self._welcomed is None or message.session != self._welcomed.session:
                self._heard, self._welcomed = message, None
            else:
                if self.answering and self._peer != self._welcomed_at:
                    self.send(self._welcome)
                continue
            return message
        return None

    def _take(self) -> FromWorker:
        self._peer, *frames = self._socket.recv_multipart()
        message = _understood(frames, decode_from_worker)
        if self.answering and isinstance(message, Heartbeat):
            self.send(Heartbeat())
        return message

    def _gone(self) -> str:
        return self._why_gone()

    def send(self, message: FromOrchestrator) -> None:
        """Send to the worker that spoke last."""
        if isinstance(message, Welcome):
            self._welcomed, self._welcome, self._welcomed_at = self._heard, message, self._peer
        elif isinstance(message, Reject):
            self._welcomed = None
        self.send_bytes(encode(message))

    def send_bytes(self, frame: bytes) -> None:
        """Send what may be no message."""
        self._socket.send_multipart([self._peer, frame])

    def greet(self) -> Hello:
        """Wait for a hello and welcome the worker."""
        hello = self.expect(Hello)
        self.send(self.assignment)
        return hello

    def evaluate(
        self,
        lease: str,
        parameters: dict[str, object],
        *,
        trial: int = 1,
        attempt: int = 1,
        timeout_s: float | None = None,
    ) -> Evaluate:
        """Ask for an evaluation."""
        task = Evaluate(
            run=self.run,
            lease=lease,
            trial=trial,
            attempt=attempt,
            parameters=parameters,
            seed=trial,
            timeout_s=timeout_s,
        )
        self.send(task)
        return task


class ScriptedWorker(_Script[FromOrchestrator]):
    """A worker that says what it is told to."""

    def __init__(self, address: str, name: str, evaluator: str) -> None:
        self.name = name
        self.evaluator = evaluator
        self._socket = zmq.Context.instance().socket(zmq.DEALER)
        self._socket.connect(address)

    def _take(self) -> FromOrchestrator:
        return _understood(self._socket.recv_multipart(), decode_from_orchestrator)

    def send(self, message: FromWorker) -> None:
        """Send a message."""
        self.send_bytes(encode(message))

    def send_bytes(self, *frames: bytes) -> None:
        """Send what may be no message."""
        self._socket.send_multipart(frames)

    def hello(self, *, protocol: int = PROTOCOL, session: str = "", evaluator: str = "") -> None:
        """Introduce itself with one slot."""
        self.send(
            Hello(
                protocol=protocol,
                worker=self.name,
                session=session or f"session-of-{self.name}",
                evaluators=[evaluator or self.evaluator],
            )
        )
