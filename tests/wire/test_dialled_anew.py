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
import zmq

from orchestrator.wire import dealer
from orchestrator.wire.credentials import Credentials
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


@pytest.mark.parametrize("keyed", [True, False], ids=["caller has keys", "caller has none"])
def test_who_spoke_without_keys_and_was_to_have_some_is_in_once_others_listen_there(
    keyed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer, "AGAIN_S", 0.05)
    public, secret = zmq.curve_keypair()
    own_public, own_secret = (key.decode() for key in zmq.curve_keypair())
    own = Credentials(name="arm", public=own_public, secret=own_secret, server=public.decode())
    with zmq.Context() as context, ExitStack() as held:
        first, then = context.socket(zmq.ROUTER), context.socket(zmq.ROUTER)
        locked = then if keyed else first
        locked.curve_server, locked.curve_secretkey = True, secret
        port = first.bind_to_random_port("tcp://127.0.0.1")
        dialled = Dealer(f"tcp://127.0.0.1:{port}", own if keyed else None)
        held.callback(dialled.hang_up, linger=False)
        until, told = time.monotonic() + 60.0, ""
        while "without" not in told and time.monotonic() < until:
            told = "".join(dialled.refusals())
            time.sleep(0.01)
        first.close(0)
        held.callback(then.close, 0)
        _bound(then, port)
        while not dialled.connected and time.monotonic() < until:
            dialled.on_time(time.monotonic())
            dialled.refusals()
            time.sleep(0.01)
        assert dialled.connected


def _bound(listening: zmq.Socket[bytes], port: int) -> None:
    """Once the port is free."""
    for _ in range(500):
        try:
            listening.bind(f"tcp://127.0.0.1:{port}")
        except zmq.ZMQError:
            time.sleep(0.01)
        else:
            return
    raise AssertionError(f"port {port} was never free")


def test_who_gives_a_connection_up_has_another_at_once() -> None:
    with zmq.Context() as context, context.socket(zmq.ROUTER) as there:
        port = there.bind_to_random_port("tcp://127.0.0.1")
        dialled = Dealer(f"tcp://127.0.0.1:{port}", None)
        try:
            peers = []
            for word in (b"before", b"after"):
                # Until it is told of the next connection, a frame may go to the one that was given up.
                until = time.monotonic() + 60.0
                while not dialled.connected and time.monotonic() < until:
                    dialled.refusals()
                    time.sleep(0.01)
                assert dialled.send(word)
                assert there.poll(60_000)
                peer, frame = there.recv_multipart()
                assert frame == word
                peers.append(peer)
                dialled.dial_anew()
                assert not dialled.connected
        finally:
            dialled.hang_up(linger=False)
    assert peers[0] != peers[1]
