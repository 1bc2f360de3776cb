"""A port for who has to be told one before anybody listens there, in benchmarks and in tests."""

from __future__ import annotations

import random
import socket
import sys

BELOW_THOSE_GIVEN_AWAY = range(10_000, 32_768)
"""Whoever binds to no port in particular, or dials, is given a higher one by the system: it might be this."""


def free_port() -> int:
    """Of this machine's loopback. On Linux it is kept, while this process lives, for whoever is told it."""
    ports = random.SystemRandom()
    while True:
        held = socket.socket()
        try:
            held.bind(("127.0.0.1", ports.choice(BELOW_THOSE_GIVEN_AWAY)))
        except OSError:
            held.close()
            continue
        port = int(held.getsockname()[1])
        if sys.platform != "linux":
            held.close()
            return port
        # Who looks for a free one finds it taken, and who listens, as servers do, is let.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.detach()
        return port
