"""A port that was told to one is nobody else's, whether or not anybody listens there yet."""

from __future__ import annotations

import socket
import sys

import pytest
import zmq

from benchmarks.running.free_port import free_port


def is_free(port: int) -> bool:
    """As who looks for a free one finds it."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere none can be kept for another")
def test_it_is_kept_before_and_after_whom_it_was_told_to_listens_there_and_nobody_is_met_meanwhile() -> None:
    port = free_port()
    for _ in range(2):
        assert not is_free(port)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
        with zmq.Context() as context, context.socket(zmq.ROUTER) as listening:
            listening.bind(f"tcp://127.0.0.1:{port}")
            assert not is_free(port)


def test_who_listens_is_let_whatever_it_listens_by() -> None:
    port = free_port()
    for host in ("127.0.0.1", ""):
        with socket.create_server((host, port)):
            socket.create_connection(("127.0.0.1", port)).close()
