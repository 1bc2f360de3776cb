"""The DEALER socket that workers and nodes dial with: frames in and out, and nothing decided here.

ZeroMQ reconnects by itself. Nothing is queued for a peer that is not there (ZMQ_IMMEDIATE): what matters
is said again after the next welcome.
"""

from __future__ import annotations

import errno
import math
import struct
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import zmq

from orchestrator.errors import UsageError
from orchestrator.wire.addresses import is_ipv6
from orchestrator.wire.credentials import Credentials
from orchestrator.wire.messages import FRAME_LIMIT
from orchestrator.wire.unanswered import host_of

GOODBYE_LINGER_MS: Final = 1000
UNBOUNDED_QUEUE: Final = 0
"""Messages of one connection that may wait to be read, at either end. With a limit, libzmq (4.3.5) aborts the
process once a connection at its limit is reset, and a PING in it is read, or one of our own is due.
"""
CONNECT_MS: Final = 15_000
"""Then it is dialled anew: the system asks after ever longer waits, of a minute in the end, and finds nobody
sooner who is back, or whose name has another address by then.
"""
HANDSHAKE_MS: Final = 30_000
"""For so long whoever took a connection may say nothing."""
AGAIN_S: Final = 2.0
"""After which it is dialled anew where one side speaks with keys and the other without: ZeroMQ gives that up,
as if nobody else could ever listen there.
"""
# Plain numbers: the arithmetic of enumerations shows in thousands of messages a second.
_NOBLOCK: Final = int(zmq.NOBLOCK)
_REASONS: Final[dict[int, str]] = {
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: (
        "the orchestrator refused this {caller}'s key: it is unknown or revoked; have one made there: "
        "orchestrator keys new NAME"
    ),
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: (
        "the other side speaks with keys and this {caller} without, or the other way about: start the "
        "{caller} with --key FILE, or without"
    ),
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL: (
        "the connection was closed while it was being made: the other side wants a key (--key FILE) or none, "
        "is not the one that this key is for, or is no orchestrator"
    ),
}
_SAYS_NOTHING: Final = (
    "whoever listens there took the connection and then said too little for {seconds:g} s: the run hangs or "
    "was stopped, as by Ctrl-Z, the network is very slow, or it is no orchestrator"
)
_REFUSALS: Final = (
    zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
)
_CONNECTIONS: Final = zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED


@dataclass(frozen=True, slots=True)
class Caller:
    """Who dials: in a word, for people; the largest frame that it takes; the connection's name, or any."""

    word: str = "worker"
    frame_limit: int = FRAME_LIMIT
    identity: bytes = b""


WORKER: Final = Caller()


class Dealer:
    """One connection to one orchestrator. Dialled on construction; an absent peer is no error.

    Attributes:
        socket: to wait for what comes.
        monitor: to wait for what `refusals` tells.
        connected: whether there is a connection, and ``connections`` how many were made, both as far as
            `refusals` has read.
        due: the moment at which `on_time` must be called, in monotonic seconds; infinity mostly.
    """

    def __init__(self, address: str, credentials: Credentials | None, caller: Caller = WORKER) -> None:
        """Raises `UsageError` for what is no address or key."""
        host_of(address)
        self._address = address
        self.due = math.inf
        self._caller = caller
        self._context = zmq.Context()
        self.socket: zmq.Socket[bytes] = self._context.socket(zmq.DEALER)
        self._configure(credentials)
        self.socket.setsockopt(zmq.IPV6, int(is_ipv6(address)))
        self.connected = False
        self.connections = 0
        self.monitor: zmq.Socket[bytes] = self.socket.get_monitor_socket(_REFUSALS | _CONNECTIONS)
        try:
            self.socket.connect(address)
        except (zmq.ZMQError, UnicodeEncodeError) as error:
            self.hang_up(linger=False)
            why = error if isinstance(error, zmq.ZMQError) else "bytes that are not UTF-8"
            raise UsageError(
                f"cannot connect to `{address}` ({why}); expected an address such as tcp://192.168.0.7:5555"
            ) from None

    def _configure(self, credentials: Credentials | None) -> None:
        options = {
            zmq.LINGER: 0,
            zmq.IMMEDIATE: 1,
            zmq.RCVHWM: UNBOUNDED_QUEUE,
            zmq.MAXMSGSIZE: self._caller.frame_limit,
            zmq.CONNECT_TIMEOUT: CONNECT_MS,
            zmq.HANDSHAKE_IVL: HANDSHAKE_MS,
            zmq.RECONNECT_IVL: 100,
            zmq.RECONNECT_IVL_MAX: 2000,
            # A cable pulled out leaves a connection that looks alive: these end it, so that it is redialled.
            zmq.HEARTBEAT_IVL: 5000,
            zmq.HEARTBEAT_TIMEOUT: 15000,
        }
        for option, setting in options.items():
            self.socket.setsockopt(option, setting)
        if self._caller.identity:
            self.socket.setsockopt(zmq.IDENTITY, self._caller.identity)
        if credentials is not None:
            try:
                self.socket.curve_publickey = credentials.public.encode()
                self.socket.curve_secretkey = credentials.secret.encode()
                self.socket.curve_serverkey = credentials.server.encode()
            except (zmq.ZMQError, ValueError):
                self.socket.close(0)
                self._context.term()
                raise UsageError(
                    f"expected keys made by `orchestrator keys new`, got others for {credentials.name}"
                ) from None

    def refusals(self) -> list[str]:
        """Why connections could not be made since the last call: ZeroMQ keeps silent about it otherwise."""
        sentences: list[str] = []
        while self.monitor.poll(0):
            # The event's number comes first, in 16 bits; zmq.utils.monitor would bring asyncio along.
            event, why = struct.unpack_from("=Hi", self.monitor.recv_multipart()[0])
            if event & _CONNECTIONS:
                self.connected = event == zmq.EVENT_HANDSHAKE_SUCCEEDED
                self.connections += self.connected
            elif event == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL and why == errno.EAGAIN:
                sentences.append(_SAYS_NOTHING.format(seconds=HANDSHAKE_MS / 1000.0))
            elif event in _REASONS:
                if event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
                    self.due = time.monotonic() + AGAIN_S
                sentences.append(_REASONS[event].format(caller=self._caller.word))
        return sentences

    def on_time(self, now: float) -> None:
        """Dial anew, where that is due."""
        if now >= self.due:
            self.dial_anew()

    def dial_anew(self) -> None:
        """Give the connection up, with what was handed over and is not sent, and make another."""
        self.due = math.inf
        self.connected = False
        with suppress(zmq.ZMQError):
            self.socket.disconnect(self._address)
        self.socket.connect(self._address)

    def send(self, frame: bytes) -> bool:
        """Hand a frame over; false if nobody is connected, or the connection is clogged."""
        return self.send_in_parts([frame])

    def send_in_parts(self, frames: Sequence[bytes]) -> bool:
        """Hand one message of several frames over, which comes whole or not at all; false as of `send`."""
        try:
            self.socket.send_multipart(frames, _NOBLOCK)
        except zmq.Again:
            return False
        return True

    def receive(self) -> list[bytes]:
        """The frames of the next message that has come; none if none has."""
        try:
            return self.socket.recv_multipart(_NOBLOCK)
        except zmq.Again:
            return []

    def hang_up(self, *, linger: bool) -> None:
        """Close. ``linger``: what was handed over last is still sent, for a bounded time."""
        self.socket.disable_monitor()
        self.monitor.close(0)
        self.socket.close(GOODBYE_LINGER_MS if linger else 0)
        self._context.term()
