"""The socket itself, with real peers: what it takes, what it refuses, and what a stranger can do to it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq
from run_lab import eventually

from orchestrator.errors import AddressError
from orchestrator.runtime.connections.broker import Broker, Received
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import FRAME_LIMIT, Heartbeat, Reject


@pytest.fixture
def context() -> Iterator[zmq.Context[zmq.Socket[bytes]]]:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    yield context
    context.destroy(linger=0)


@pytest.fixture
def broker(context: zmq.Context[zmq.Socket[bytes]]) -> Broker:
    return Broker(context, "tcp://127.0.0.1:*")


def dial(context: zmq.Context[zmq.Socket[bytes]], broker: Broker) -> zmq.Socket[bytes]:
    peer = context.socket(zmq.DEALER)
    peer.setsockopt(zmq.RCVTIMEO, 60_000)
    peer.connect(broker.address)
    return peer


def received(broker: Broker, count: int) -> list[Received]:
    found: list[Received] = []
    eventually(lambda: found.extend(broker.receive()) or len(found) >= count)
    return found


def test_a_port_in_use_is_refused_with_what_to_do() -> None:
    with socket.socket() as taken, zmq.Context() as context:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(AddressError, match=r"the port is taken by another program.*workers\.listen"):
            Broker(context, f"tcp://127.0.0.1:{taken.getsockname()[1]}")


@pytest.mark.parametrize(
    "address", ["tcp://203.0.113.7:5555", "tcp://nowhere.invalid:5555", "ipc:///no/such/place/x"]
)
def test_an_address_that_is_not_of_this_machine_is_refused_with_what_to_do(
    context: zmq.Context[zmq.Socket[bytes]], address: str
) -> None:
    with pytest.raises(AddressError, match=rf"expected to listen at {address}"):
        Broker(context, address)


def test_a_malformed_message_is_told_from_a_good_one_and_costs_nobody_else_anything(
    context: zmq.Context[zmq.Socket[bytes]], broker: Broker
) -> None:
    stranger, honest = dial(context, broker), dial(context, broker)
    hostile = [
        [b""],
        [b"\xff\x00"],
        [b"{"],
        [b"[]"],
        [b'{"type":"result"}'],
        [b'{"type":"welcome"}'],
        [b'{"type":"heartbeat","leases":"1.1"}'],
        [b'{"type":"heartbeat","leases":' + b"[" * 100_000],
        [b'{"type":"result","run":"r","lease":"1.1","trial":1,"value":NaN}'],
        [b'{"type":"result","run":"r","lease":"1.1","trial":1,"value":"1"}'],
        [b"a", b"b"],
        [b"", b'{"type":"heartbeat"}'],
        [b"x" * FRAME_LIMIT],
    ]
    for frames in hostile:
        stranger.send_multipart(frames)
    honest.send(encode(Heartbeat(leases=["1.1"])))
    found = received(broker, len(hostile) + 1)
    good = [message for message in found if message.message is not None]
    assert [message.message for message in good] == [Heartbeat(leases=["1.1"])]
    bad = [message for message in found if message.message is None]
    assert len(bad) == len(hostile)
    assert all(message.complaint for message in bad)
    assert broker.send(bad[0].peer, Reject("malformed", "no"))
    assert b"malformed" in stranger.recv()


def test_a_frame_above_the_limit_ends_its_connection_and_no_other(
    context: zmq.Context[zmq.Socket[bytes]], broker: Broker
) -> None:
    stranger, honest = dial(context, broker), dial(context, broker)
    stranger.send(b"x" * (FRAME_LIMIT + 1))
    honest.send(encode(Heartbeat()))
    assert [message.message for message in received(broker, 1)] == [Heartbeat()]


def test_noise_that_is_no_zeromq_costs_nothing(
    context: zmq.Context[zmq.Socket[bytes]], broker: Broker
) -> None:
    port = int(broker.address.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)) as noise:
        noise.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + bytes(range(256)) * 100)
        honest = dial(context, broker)
        honest.send(encode(Heartbeat()))
        good: list[Received] = []
        eventually(lambda: good.extend(r for r in broker.receive() if r.message is not None) or good)
        assert [message.message for message in good] == [Heartbeat()]


def test_a_peer_that_is_gone_is_told_apart_from_one_that_listens(
    context: zmq.Context[zmq.Socket[bytes]], broker: Broker
) -> None:
    peer = dial(context, broker)
    peer.send(encode(Heartbeat()))
    identity = received(broker, 1)[0].peer
    assert broker.send(identity, Heartbeat())
    peer.close(0)
    eventually(lambda: broker.receive() or not broker.send(identity, Heartbeat()))
    assert not broker.send(b"never seen", Heartbeat())


def test_no_more_is_taken_at_a_time_than_asked_for(
    context: zmq.Context[zmq.Socket[bytes]], broker: Broker
) -> None:
    peer = dial(context, broker)
    for _ in range(10):
        peer.send(encode(Heartbeat()))
    taken = 0
    while taken < 10:
        batch = eventually(lambda: broker.receive(limit=3))
        assert len(batch) <= 3
        taken += len(batch)


def test_whoever_is_shut_out_is_not_listened_to_for_longer_than_others(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def revoked_and_without_a_pause(broker: Broker) -> list[bytes]:
        assert broker.shut_out < 10_000, "nobody else was listened to"
        return [b"revoked"]

    monkeypatch.setattr(Broker, "_take", revoked_and_without_a_pause)
    assert broker.receive(limit=100) == []
    assert 0 < broker.shut_out <= 100


def test_a_socket_in_a_file_is_not_taken_from_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A short path, wherever temporary files lie: the names of such sockets may have 107 characters.
    monkeypatch.chdir(tmp_path)
    address = "ipc://w"
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    first = Broker(context, address)
    with pytest.raises(AddressError, match="taken by another program"):
        Broker(context, address)
    first.close()
    context.term()
    # What a killed one left behind is nobody's.
    again: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    Broker(again, address).close()
    again.term()
