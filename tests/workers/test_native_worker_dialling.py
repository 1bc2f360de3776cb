"""Whom the worker in C++ dials: whose leases it has, with keys and without, and who listens there by then."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
import zmq
from locked_door import locked_door
from native_lab import NEEDS_A_COMPILER, QUADRATIC, NativeLab
from worker_lab import PATIENCE_S, Lab, eventually, in_the_place_of, result

from orchestrator.wire.codec import decode_from_worker
from orchestrator.wire.messages import Cancel, Heartbeat, Hello, Reject
from orchestrator.wire.scripted import ScriptedOrchestrator

pytestmark = NEEDS_A_COMPILER


def test_its_hello_says_of_which_run_its_leases_are(wire: ScriptedOrchestrator, native: NativeLab) -> None:
    native.start(wire.address)
    assert wire.greet().run == ""
    wire.send(Reject(code="hello", reason="expected hello first"))
    assert wire.expect(Hello).run == wire.assignment.run


def test_who_is_silent_is_dialled_anew(wire: ScriptedOrchestrator, native: NativeLab) -> None:
    """A firewall may have forgotten the connection."""
    native.start(wire.address)
    wire.greet()
    before, wire.answering = wire._peer, False
    wire.expect(Hello)
    assert wire._peer != before


def test_what_waits_for_another_run_waits_on(lab: Lab, native: NativeLab) -> None:
    yesterday = lab.orchestrator(QUADRATIC, run="yesterday", heartbeat_s=1.0)
    native.start(yesterday.address)
    yesterday.greet()
    yesterday.evaluate("1.1", {"x": 0.5, "nap_s": 600})
    while "1.1" not in yesterday.expect(Heartbeat).leases:
        pass
    today = in_the_place_of(yesterday, lab, "today")
    today.evaluate("1.1", {"x": 0.5})
    while "1.1" not in today.expect(Heartbeat).leases:
        pass
    resumed = in_the_place_of(today, lab, "yesterday")
    resumed.send(Cancel(lease="1.1"))
    resumed.evaluate("2.1", {"x": 0.5}, trial=2)
    assert result(resumed, "2.1").run == "yesterday"
    assert result(in_the_place_of(resumed, lab, "today"), "1.1").run == "today"


def test_whose_hello_makes_no_sense_to_the_other_side_it_ends_with_the_reason(
    wire: ScriptedOrchestrator, native: NativeLab
) -> None:
    worker = native.start(wire.address)
    wire.expect(Hello)
    wire.send(Reject(code="malformed", reason="expected 1 to 1024 slots, got 2000"))
    assert worker.wait(PATIENCE_S) == 2
    assert "expected 1 to 1024 slots, got 2000" in native.said


def test_with_a_key_it_speaks_in_cipher(native: NativeLab, tmp_path: Path) -> None:
    with locked_door(tmp_path) as door:
        native.start(door.address, "--key", str(door.key))
        assert isinstance(door.first_message(), Hello)


def has_bound(socket: zmq.Socket[bytes], port: int) -> bool:
    """Whether it listens there, where another may just have hung up."""
    with suppress(zmq.ZMQError):
        socket.bind(f"tcp://127.0.0.1:{port}")
        return True
    return False


def test_where_one_side_alone_has_keys_it_says_so_and_dials_on_until_others_listen_there(
    native: NativeLab,
) -> None:
    with zmq.Context.instance().socket(zmq.ROUTER) as locked:
        locked.curve_server = True
        locked.curve_secretkey = zmq.curve_keypair()[1]
        port = locked.bind_to_random_port("tcp://127.0.0.1")
        native.start(f"tcp://127.0.0.1:{port}")
        said = "speaks with keys and this worker without, or the other way about"
        eventually(lambda: said in native.said)
    with zmq.Context.instance().socket(zmq.ROUTER) as socket:
        eventually(lambda: has_bound(socket, port))
        assert socket.poll(60_000)
        assert isinstance(decode_from_worker(socket.recv_multipart()[1]), Hello)


def test_it_dials_an_address_of_ipv6(native: NativeLab) -> None:
    with zmq.Context.instance().socket(zmq.ROUTER) as socket:
        socket.ipv6 = True
        try:
            port = socket.bind_to_random_port("tcp://[::1]")
        except zmq.ZMQError:
            pytest.skip("this machine has no address of IPv6")
        native.start(f"tcp://[::1]:{port}")
        assert socket.poll(60_000)
        assert isinstance(decode_from_worker(socket.recv_multipart()[1]), Hello)
