"""Where nobody answers, not even that nobody is there, whoever dials begins anew: the system would ask after
ever longer waits, and miss whoever is back.
"""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from orchestrator.wire import dealer
from orchestrator.wire.dealer import Dealer

CONNECTIONS = Path("/proc/self/net/tcp")
UNANSWERED = "02"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells of connections that are made")


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of one that has as many connections as it takes: what more are asked for get no answer."""
    with ExitStack() as held:
        listening = held.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(8):
            one = held.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(listening.getsockname())
        yield listening.getsockname()[1]


def asking(port: int) -> set[str]:
    """From where a connection to that port is asked for that nobody has answered."""
    rows = [line.split() for line in CONNECTIONS.read_text().splitlines()[1:]]
    return {row[1] for row in rows if row[3] == UNANSWERED and row[2].endswith(f":{port:04X}")}


def test_where_nobody_answers_it_is_dialled_anew(silent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealer, "CONNECT_MS", 200)
    others = asking(silent)
    dialled = Dealer(f"tcp://127.0.0.1:{silent}", None)
    try:
        until, seen = time.monotonic() + 60.0, set[str]()
        while len(seen) < 2 and time.monotonic() < until:
            seen |= asking(silent) - others
            time.sleep(0.01)
    finally:
        dialled.hang_up(linger=False)
    assert len(seen) >= 2
