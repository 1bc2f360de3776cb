"""Whoever dials is told why nothing comes of a connection: ZeroMQ itself says nothing."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from orchestrator.wire import dealer
from orchestrator.wire.dealer import Dealer


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def told(listening: socket.socket, *, hangs_up: bool = False) -> str:
    """The first that is said to whoever dials there, where it listens, and may hang up once."""
    dialled = Dealer(f"tcp://127.0.0.1:{listening.getsockname()[1]}", None)
    try:
        if hangs_up:
            listening.settimeout(60.0)
            listening.accept()[0].close()
        until = time.monotonic() + 60.0
        while not (sentences := dialled.refusals()) and time.monotonic() < until:
            dialled.monitor.poll(100)
        return sentences[0]
    finally:
        dialled.hang_up(linger=False)


def test_a_run_that_was_stopped_takes_connections_and_says_nothing(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer, "HANDSHAKE_MS", 300)
    sentence = told(listening)
    assert "said too little for 0.3 s: the run hangs or was stopped, as by Ctrl-Z" in sentence
    assert "--key" not in sentence


def test_where_the_other_side_hangs_up_it_may_be_the_key(listening: socket.socket) -> None:
    assert "wants a key (--key FILE) or none" in told(listening, hangs_up=True)
