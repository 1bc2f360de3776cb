"""The worker's side of the conversation: dial out, say hello, beat, notice silence, hello again.

ZeroMQ reconnects by itself. Nothing is queued for a peer that is not there (ZMQ_IMMEDIATE): what matters
is in the outbox and is sent again after the next welcome.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final

import zmq

from orchestrator.errors import UsageError
from orchestrator.wire.codec import MalformedMessage, decode_from_orchestrator, encode
from orchestrator.wire.messages import FRAME_LIMIT, FromOrchestrator, FromWorker, Heartbeat, Hello, Welcome

SILENT_AFTER: Final = 5
"""Heartbeat intervals without a word after which the orchestrator is taken to be gone."""
HELLO_AGAIN_S: Final = 1.0
GOODBYE_LINGER_MS: Final = 1000
# Plain numbers: the arithmetic of enumerations shows in thousands of messages a second.
_NOBLOCK: Final = int(zmq.NOBLOCK)


class Link:
    """One DEALER socket to one orchestrator. ``introduce`` makes the hello of the moment."""

    def __init__(self, address: str, server_key: str, introduce: Callable[[], Hello]) -> None:
        """Dial. Raises `UsageError` for what is no address or key; an absent peer is no error."""
        self._address = address
        self._introduce = introduce
        self._context = zmq.Context()
        self.socket: zmq.Socket[bytes] = self._context.socket(zmq.DEALER)
        self.welcome: Welcome | None = None
        self.greeted = False
        """Whether the orchestrator knows this worker, as far as the worker knows."""
        self.blocked = False
        """Whether a hello waits for the connection: watch for writability."""
        self.malformed: str = ""
        self._next_hello = -math.inf
        self._next_beat = math.inf
        self._last_heard = 0.0
        self._configure(server_key)
        try:
            self.socket.connect(address)
        except zmq.ZMQError as error:
            self.socket.close(0)
            self._context.term()
            raise UsageError(
                f"cannot connect to `{address}` ({error}); expected an address such as tcp://192.168.0.7:5555"
            ) from None

    def _configure(self, server_key: str) -> None:
        options = {
            zmq.LINGER: 0,
            zmq.IMMEDIATE: 1,
            zmq.MAXMSGSIZE: FRAME_LIMIT,
            zmq.RECONNECT_IVL: 100,
            zmq.RECONNECT_IVL_MAX: 2000,
            # A cable pulled out leaves a connection that looks alive: these end it, so that it is redialled.
            zmq.HEARTBEAT_IVL: 5000,
            zmq.HEARTBEAT_TIMEOUT: 15000,
        }
        for option, setting in options.items():
            self.socket.setsockopt(option, setting)
        if server_key:
            try:
                self.socket.curve_publickey, self.socket.curve_secretkey = zmq.curve_keypair()
                self.socket.curve_serverkey = server_key.encode()
            except (zmq.ZMQError, ValueError) as error:
                self.socket.close(0)
                self._context.term()
                raise UsageError(
                    f"expected the orchestrator's public key, 40 characters, got `{server_key}` ({error})"
                ) from None

    @property
    def run(self) -> str | None:
        """The run last welcomed to."""
        return self.welcome.run if self.welcome is not None else None

    @property
    def heartbeat_s(self) -> float:
        """Seconds between heartbeats."""
        return max(0.01, self.welcome.heartbeat_s) if self.welcome is not None else HELLO_AGAIN_S

    @property
    def due(self) -> float:
        """The moment at which `on_time` must be called."""
        if self.greeted:
            return min(self._next_beat, self._last_heard + SILENT_AFTER * self.heartbeat_s)
        return math.inf if self.blocked else self._next_hello

    def send(self, frame: bytes) -> bool:
        """Send if the orchestrator is there and knows us; whether it was sent."""
        return self.greeted and self._send(frame)

    def _send(self, frame: bytes) -> bool:
        try:
            self.socket.send(frame, _NOBLOCK)
        except zmq.Again:
            return False
        return True

    def receive(self, now: float) -> Iterator[tuple[FromOrchestrator, bytes]]:
        """The messages that have arrived, each with its frame. What is none is remembered in `malformed`."""
        while True:
            try:
                frame = self.socket.recv(_NOBLOCK)
            except zmq.Again:
                return
            extra = False
            while self.socket.get(zmq.RCVMORE):
                self.socket.recv()
                extra = True
            self._last_heard = now
            try:
                if extra:
                    raise MalformedMessage("expected one frame a message, got several")
                message = decode_from_orchestrator(frame)
            except MalformedMessage as error:
                self.malformed = str(error)
                continue
            yield message, frame

    def on_welcome(self, welcome: Welcome, now: float) -> None:
        """The orchestrator knows us."""
        self.welcome = welcome
        self.greeted = True
        self.blocked = False
        self._last_heard = now
        self._next_beat = now + self.heartbeat_s

    def on_unknown(self, now: float) -> None:
        """The orchestrator does not know us (any more): hello, unless one is under way."""
        if self.greeted:
            self.greeted = False
            self._next_hello = now

    def on_name_taken(self, now: float) -> None:
        """Another worker has our name: it may be our predecessor, not yet missed."""
        self.greeted = False
        self._next_hello = now + HELLO_AGAIN_S

    def on_writable(self, now: float) -> None:
        """The connection is there."""
        self.blocked = False
        self._next_hello = now

    def on_time(self, now: float, leases: Callable[[], list[str]], draining: bool) -> bool:
        """Say what is due. True if the orchestrator has just been found silent."""
        if not self.greeted:
            if now >= self._next_hello and not self.blocked:
                self.blocked = not self._send(encode(self._introduce()))
                self._next_hello = now + HELLO_AGAIN_S
            return False
        if now - self._last_heard >= SILENT_AFTER * self.heartbeat_s:
            self.greeted = False
            self._next_hello = now
            return True
        if now >= self._next_beat:
            self._next_beat = now + self.heartbeat_s
            self._send(encode(Heartbeat(leases=leases(), draining=draining)))
        return False

    def beat_now(self, now: float) -> None:
        """Make the next heartbeat due at once."""
        self._next_beat = now

    def close(self, last: FromWorker | None) -> None:
        """Hang up, after a last message if the orchestrator knows us."""
        spoken = last is not None and self.send(encode(last))
        self.socket.close(GOODBYE_LINGER_MS if spoken else 0)
        self._context.term()
