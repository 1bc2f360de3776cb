"""Who knocks without a key, or with one for another orchestrator: ZeroMQ turns them away, and says so here.

Whoever comes with a key of the right kind is asked about at the gate instead, which counts those it refuses.
"""

from __future__ import annotations

import zmq

UNBOUNDED = 0
"""Events that may wait: with a limit, ZeroMQ's own thread would wait for the loop once it is reached."""
COUNTED_AT_A_TIME = 1_000
"""More would keep those waiting who were heard; what is left is counted the next time."""


class FailedHandshakes:
    """Counts them; to be made before the socket is bound, and closed before it is."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], socket: zmq.Socket[bytes]) -> None:
        self._count = 0
        self._watched = socket
        address = f"inproc://failed-handshakes-{int(socket.getsockopt(zmq.FD))}"
        socket.monitor(address, zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL)
        self._events: zmq.Socket[bytes] = context.socket(zmq.PAIR)
        self._events.setsockopt(zmq.RCVHWM, UNBOUNDED)
        self._events.setsockopt(zmq.LINGER, 0)
        self._events.connect(address)

    def counted(self) -> int:
        """How many failed until now; never waits."""
        for _ in range(COUNTED_AT_A_TIME):
            try:
                self._events.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                break
            self._count += 1
        return self._count

    def close(self) -> None:
        """Count no more."""
        self._watched.disable_monitor()
        self._events.close(0)
