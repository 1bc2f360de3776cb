"""An orchestrator's door that opens to keys alone, for workers that have one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import zmq

from orchestrator.wire.codec import decode_from_worker
from orchestrator.wire.credentials import Credentials, write_secret
from orchestrator.wire.messages import FromWorker


@dataclass(frozen=True)
class LockedDoor:
    """Where it is, and the file of a worker's ``key`` to it."""

    address: str
    key: Path
    socket: zmq.Socket[bytes]

    def first_message(self) -> FromWorker:
        """Which comes in cipher, or not at all."""
        assert self.socket.poll(60_000)
        return decode_from_worker(self.socket.recv_multipart()[1])


@contextmanager
def locked_door(folder: Path) -> Iterator[LockedDoor]:
    """Of a robot, whose key is kept in a folder."""
    public, secret = zmq.curve_keypair()
    own_public, own_secret = (key.decode() for key in zmq.curve_keypair())
    key = folder / "robot.json"
    write_secret(key, msgspec.json.encode(Credentials("robot", own_public, own_secret, public.decode())))
    with zmq.Context.instance().socket(zmq.ROUTER) as socket:
        socket.curve_server = True
        socket.curve_secretkey = secret
        port = socket.bind_to_random_port("tcp://127.0.0.1")
        yield LockedDoor(f"tcp://127.0.0.1:{port}", key, socket)
