"""The ROUTER socket that workers dial: bytes in and out, and nothing decided here.

Never blocks: `receive` takes what has come, `send` hands over to ZeroMQ's own thread. The loop waits on
`descriptor`, after a `receive` that came back empty (ZeroMQ signals only what is new since then).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import zmq

from orchestrator.errors import AddressError
from orchestrator.runtime.connections.failed_handshakes import FailedHandshakes
from orchestrator.runtime.connections.gate import Gate
from orchestrator.wire.addresses import is_ipv6, is_listened_at, nearby
from orchestrator.wire.codec import MalformedMessage, decode_from_worker, encode
from orchestrator.wire.dealer import UNBOUNDED_QUEUE
from orchestrator.wire.messages import FRAME_LIMIT, FromOrchestrator, FromWorker, Reject

SEND_QUEUE = 2_500
"""Messages that wait for one connection: every slot of a worker can be served at once, and cancelled."""
TURN_S = 0.005
"""What has come is taken for so long at a time: decoding must not keep those waiting who were heard."""
REVOKED = "its key was revoked; have another one made there: orchestrator keys new NAME"
LINGER_MS = 1_000
HANDSHAKE_MS = 30_000
"""With keys it takes several ways there and back: too many for less where each takes seconds."""
BACKLOG = 1_024
KEEPALIVE_IDLE_S = 60
KEEPALIVE_EVERY_S = 15
KEEPALIVE_TIMES = 4


@dataclass(frozen=True, slots=True)
class Received:
    """A message and the connection it came over; ``message`` is None where the frame was malformed.

    ``lease`` is that of a malformed result or failure, if it names one.
    """

    peer: bytes
    message: FromWorker | None
    complaint: str = ""
    lease: str = ""


def received_from(peer: bytes, frames: Sequence[bytes]) -> Received:
    """What came over a connection, in so many frames."""
    try:
        if len(frames) != 1:
            raise MalformedMessage(f"expected one frame, got {len(frames)}")
        return Received(peer, decode_from_worker(frames[0]))
    except MalformedMessage as complaint:
        return Received(peer, None, str(complaint), complaint.lease)


class Broker:
    """Bound on construction. Raises `AddressError` if the address cannot be bound.

    With a gate, only authorised keys connect; ``shut_out`` counts messages under a key revoked since, each of
    which is refused, and `keyless` those who came without a key, or with one for another orchestrator.

    Attributes:
        address: that workers dial; ``nearby`` is the same for those of this machine.
        descriptor: to wait for.
    """

    def __init__(
        self, context: zmq.Context[zmq.Socket[bytes]], address: str, gate: Gate | None = None
    ) -> None:
        self._socket = context.socket(zmq.ROUTER)
        self.gate = gate
        self.shut_out = 0
        self._failed: FailedHandshakes | None = None
        if gate is not None:
            gate.guard(self._socket)
            self._failed = FailedHandshakes(context, self._socket)
        # A worker that went away must be told apart from one that is slow: sending to it raises.
        self._socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._socket.setsockopt(zmq.IPV6, int(is_ipv6(address)))
        self._socket.setsockopt(zmq.SNDHWM, SEND_QUEUE)
        self._socket.setsockopt(zmq.RCVHWM, UNBOUNDED_QUEUE)
        self._socket.setsockopt(zmq.LINGER, LINGER_MS)
        self._socket.setsockopt(zmq.MAXMSGSIZE, FRAME_LIMIT)
        self._socket.setsockopt(zmq.BACKLOG, BACKLOG)
        # Connections of the dead take memory: those that never say what they want, and those cut off.
        self._socket.setsockopt(zmq.HANDSHAKE_IVL, HANDSHAKE_MS)
        self._socket.setsockopt(zmq.TCP_KEEPALIVE, 1)
        self._socket.setsockopt(zmq.TCP_KEEPALIVE_IDLE, KEEPALIVE_IDLE_S)
        self._socket.setsockopt(zmq.TCP_KEEPALIVE_INTVL, KEEPALIVE_EVERY_S)
        self._socket.setsockopt(zmq.TCP_KEEPALIVE_CNT, KEEPALIVE_TIMES)
        try:
            if is_listened_at(address):
                raise zmq.ZMQError(zmq.EADDRINUSE)
            self._socket.bind(address)
        except zmq.ZMQError as error:
            self._hang_up(linger_ms=0)
            raise AddressError(_explain(address, error)) from None
        self.address = self._socket.get_string(zmq.LAST_ENDPOINT)
        self.nearby = nearby(self.address)
        self.descriptor = int(self._socket.getsockopt(zmq.FD))

    def keyless(self) -> int:
        """How often somebody came without a key, or with one for another orchestrator, until now."""
        return 0 if self._failed is None else self._failed.counted()

    def receive(self, limit: int = 1_000) -> list[Received]:
        """The messages that have come, at most ``limit``, and no more than can be read in a short time.

        Those that are shut out are not among them, and take their part of both.
        """
        received: list[Received] = []
        taken = 0
        until = time.monotonic() + TURN_S
        while taken < limit and (not taken or time.monotonic() < until):
            try:
                peer, *frames = self._take()
            except zmq.Again:
                break
            taken += 1
            if not frames:
                self.shut_out += 1
                # Whoever is told nothing takes it for a network that is cut, and waits for ever.
                self.send(peer, Reject(code="name", reason=REVOKED))
                continue
            received.append(received_from(peer, frames))
        return received

    def _take(self) -> list[bytes]:
        """The frames of the next message, or its peer alone if its key is not authorised any more."""
        if self.gate is None:
            return self._socket.recv_multipart(zmq.NOBLOCK)
        frames = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
        if not self.gate.lets_in(frames[-1]):
            return [frames[0].bytes]
        return [frame.bytes for frame in frames]

    def send(self, peer: bytes, message: FromOrchestrator) -> bool:
        """Hand a message over for a connection; False if the connection is gone or clogged."""
        try:
            self._socket.send_multipart([peer, encode(message)], zmq.NOBLOCK)
        except (zmq.Again, zmq.ZMQError):
            return False
        return True

    def close(self) -> None:
        """Close; what was handed over is still sent, for a bounded time."""
        self._hang_up(linger_ms=LINGER_MS)

    def _hang_up(self, linger_ms: int) -> None:
        if self._failed is not None:
            self._failed.close()
        self._socket.close(linger_ms)


def _explain(address: str, error: zmq.ZMQError) -> str:
    if error.errno == zmq.EADDRINUSE:
        return (
            f"expected to listen at {address}, and the port is taken by another program. "
            "Name another port under workers.listen in the spec, or leave it out for a free one."
        )
    return (
        f"expected to listen at {address}, got: {error.strerror}. "
        "Under workers.listen give an address of this machine, as in tcp://127.0.0.1:5555."
    )
