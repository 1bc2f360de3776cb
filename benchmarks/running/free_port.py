"""A port for who has to be told one before anybody listens there, in benchmarks and in tests."""

from __future__ import annotations

import random
import socket
from contextlib import suppress

BELOW_THOSE_GIVEN_AWAY = range(10_000, 32_768)
"""Whoever binds to no port in particular, or dials, is given a higher one by the system: it might be this."""


def free_port() -> int:
    """Of this machine's loopback, and nobody else's for the moment."""
    ports = random.SystemRandom()
    while True:
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", ports.choice(BELOW_THOSE_GIVEN_AWAY)))
            return int(probe.getsockname()[1])
