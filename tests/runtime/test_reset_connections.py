"""A connection is reset while more waits in it than is read: no end of the wire dies of that.

libzmq aborts its process where it had stopped reading such a connection (`UNBOUNDED_QUEUE`). So each end has
a process of its own here, and the other side is a plain TCP socket, which sends a PING and a reset when it
likes.
"""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from run_lab import PATIENCE_S

BEAT = b'{"type":"heartbeat"}'
MESSAGE = bytes([0, len(BEAT)]) + BEAT
PING = b"\x04\x07\x04PING\x00\x00"
MORE_THAN_WAIT = 20 * (60 * MESSAGE + PING)
READ_WITHIN_S = 0.5
RESET = struct.pack("ii", 1, 0)

BROKER = """
from orchestrator.runtime.connections.broker import Broker
end = Broker(zmq.Context(), "tcp://127.0.0.1:*")
say(end.address)
heard()
until_quiet(lambda: len(end.receive()))
"""
HUB = """
from orchestrator.runtime.nodes.hub import HubSettings, NodeHub
end = NodeHub(HubSettings(), lambda peer: None)
say(end.address)
heard()
until_quiet(end.attend)
"""
CALLER = """
from orchestrator.wire.dealer import Dealer
end = Dealer(heard(), None)
heard()
until_quiet(lambda: len(end.receive()))
"""
AROUND = """
import os, time, zmq
def say(words): print(words, flush=True)
def heard(): return input()
def until_quiet(read):
    until = time.monotonic() + 1.0
    while time.monotonic() < until:
        read()
        time.sleep(0.001)
{end}
say("alive")
os._exit(0)
"""


@contextmanager
def running(end: str) -> Iterator[subprocess.Popen[str]]:
    code = AROUND.format(end=end)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def tell(process: subprocess.Popen[str], words: str = "go on") -> None:
    assert process.stdin is not None
    process.stdin.write(f"{words}\n")
    process.stdin.flush()


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def shake_hands(connection: socket.socket, as_what: bytes) -> None:
    """ZMTP 3.1 with the mechanism NULL, as far as the first message."""
    connection.settimeout(PATIENCE_S)
    connection.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"NULL".ljust(20, b"\0") + bytes(32))
    greeting = b""
    while len(greeting) < 64:
        greeting += connection.recv(64 - len(greeting))
    ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", len(as_what)) + as_what
    connection.sendall(bytes([4, len(ready)]) + ready)
    connection.recv(1 << 10)


def send_much_and_reset(connection: socket.socket) -> None:
    connection.sendall(MORE_THAN_WAIT)
    # What the other side's thread has not read by then is lost with the connection, and harmless.
    time.sleep(READ_WITHIN_S)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    connection.close()


@pytest.mark.parametrize("end", [pytest.param(BROKER, id="broker"), pytest.param(HUB, id="hub")])
def test_who_listens_survives_a_caller_that_is_cut_off_with_much_to_say(end: str) -> None:
    with running(end) as process:
        host, _, port = said(process).removeprefix("tcp://").rpartition(":")
        connection = socket.create_connection((host, int(port)))
        shake_hands(connection, b"DEALER")
        send_much_and_reset(connection)
        tell(process)
        assert said(process) == "alive"


def test_who_calls_survives_an_orchestrator_that_is_cut_off_with_much_to_say() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, running(CALLER) as process:
        tell(process, f"tcp://127.0.0.1:{listener.getsockname()[1]}")
        connection, _ = listener.accept()
        shake_hands(connection, b"ROUTER")
        send_much_and_reset(connection)
        tell(process)
        assert said(process) == "alive"
