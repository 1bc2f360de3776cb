"""Who throws hostile frames at an orchestrator, and through which door.

    python tests/security/attackers.py ADDRESS RUN FRAMES --messages 1000 --seed 1 [--key FILE]

FRAMES is a file with what is thrown and mutated, a line each: to make them takes longer than to throw them.

Several connections at a time, each dropped now and then and dialled anew; some never read what they are
answered. With ``--knock`` the messages are connections instead: plain ones and wrong keys at a door that
wants keys, greetings that break off, and noise that is no ZeroMQ.
"""

from __future__ import annotations

import argparse
import os
import random
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import zmq
from hostile_frames import onslaught

from orchestrator.wire.credentials import Credentials, read_credentials

CONNECTIONS = 8
DEAF = 2
"""Of the connections, those that never read."""
RATE = 1_000
"""Messages a second, at most: what is measured is the orchestrator, not a processor that all must share."""


def attack(
    address: str, run: str, frames: Sequence[bytes], count: int, seed: int, credentials: Credentials | None
) -> None:
    """Throw ``count`` messages."""
    rng = random.Random(seed)
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    peers = [_dial(context, address, credentials) for _ in range(CONNECTIONS)]
    thrown = 0
    begun = time.monotonic()
    for message in onslaught(run, frames, seed):
        if thrown >= count:
            break
        place = rng.randrange(CONNECTIONS)
        try:
            peers[place].send_multipart(message, zmq.NOBLOCK)
            thrown += 1
        except zmq.Again:
            time.sleep(0.002)
        if place >= DEAF:
            _listen(peers[place])
        if rng.random() < 0.002:
            peers[place].close(0)
            peers[place] = _dial(context, address, credentials)
        ahead = thrown / RATE - (time.monotonic() - begun)
        if ahead > 0.01:
            time.sleep(ahead)
    time.sleep(0.5)
    context.destroy(linger=500)


def _dial(
    context: zmq.Context[zmq.Socket[bytes]], address: str, credentials: Credentials | None
) -> zmq.Socket[bytes]:
    peer = context.socket(zmq.DEALER)
    peer.setsockopt(zmq.SNDHWM, 100)
    if credentials is not None:
        peer.curve_publickey = credentials.public.encode()
        peer.curve_secretkey = credentials.secret.encode()
        peer.curve_serverkey = credentials.server.encode()
    peer.connect(address)
    return peer


def _listen(peer: zmq.Socket[bytes]) -> None:
    with suppress(zmq.Again):
        while True:
            peer.recv(zmq.NOBLOCK)


def knock(address: str, count: int, seed: int, server: str) -> None:
    """Come ``count`` times without a key that is known."""
    rng = random.Random(seed)
    host, port = address.removeprefix("tcp://").split(":")
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    greeting = b"\xff" + b"\0" * 8 + b"\x7f\x03\x01CURVE".ljust(22, b"\0") + b"\0" * 32
    held: list[socket.socket] = []
    for number in range(count):
        kind = rng.randrange(5)
        if kind == 0:
            _knock_with(context, address, None)
        elif kind == 1 and server:
            public, secret = (key.decode() for key in zmq.curve_keypair())
            _knock_with(context, address, Credentials("stranger", public, secret, server))
        else:
            with suppress(OSError):
                caller = socket.create_connection((host, int(port)), timeout=5)
                noise = [greeting, greeting[:20], rng.randbytes(300), b"GET / HTTP/1.1\r\n\r\n"]
                caller.sendall(rng.choice(noise))
                # Some hang up at once, some hold on and say nothing more.
                held.append(caller)
        while len(held) > 30:
            held.pop(rng.randrange(len(held))).close()
        if number % 10 == 0:
            time.sleep(0.02)
    for caller in held:
        caller.close()
    context.destroy(linger=0)


def _knock_with(
    context: zmq.Context[zmq.Socket[bytes]], address: str, credentials: Credentials | None
) -> None:
    peer = _dial(context, address, credentials)
    with suppress(zmq.Again):
        peer.send(b'{"type":"hello"}', zmq.NOBLOCK)
    time.sleep(0.005)
    peer.close(0)


def decoy(address: str) -> None:
    """Stand in for an orchestrator, until ended: take everything and answer as briefly."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as door:
        door.bind(address)
        while True:
            peer = door.recv_multipart()[0]
            with suppress(zmq.Again):
                door.send_multipart(
                    [peer, b'{"type":"reject","code":"malformed","reason":"no"}'], zmq.NOBLOCK
                )


def main() -> None:
    """Attack as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("run")
    parser.add_argument("frames", type=Path)
    parser.add_argument("--messages", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--key", type=Path)
    parser.add_argument("--knock", action="store_true")
    parser.add_argument("--server", default="", help="the orchestrator's public key, for wrong keys to use")
    parser.add_argument("--decoy", action="store_true", help="be attacked at ADDRESS, instead of attacking")
    parsed = parser.parse_args()
    os.nice(5)
    if parsed.decoy:
        decoy(parsed.address)
    elif parsed.knock:
        knock(parsed.address, parsed.messages, parsed.seed, parsed.server)
    else:
        credentials = None if parsed.key is None else read_credentials(parsed.key)
        frames = parsed.frames.read_bytes().split(b"\n")
        attack(parsed.address, parsed.run, frames, parsed.messages, parsed.seed, credentials)


if __name__ == "__main__":
    main()
