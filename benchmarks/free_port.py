"""A port for who has to be told one before anybody listens there, in benchmarks and in tests."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Of this machine's loopback, and nobody else's for the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
