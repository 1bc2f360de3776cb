"""Addresses of IPv6 are listened at and dialled, by workers and by nodes; '[::]' means both kinds."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest
import zmq
from run_lab import eventually

from orchestrator.runtime.connections.broker import Broker
from orchestrator.runtime.nodes.hub import HubSettings, NodeHub
from orchestrator.wire.codec import encode
from orchestrator.wire.dealer import Dealer
from orchestrator.wire.messages import Heartbeat


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


pytestmark = pytest.mark.skipif(not has_ipv6(), reason="this machine has no address of IPv6")


def reached(address: str, attend: Callable[[], object]) -> None:
    dealer = Dealer(address, None)

    def connected() -> bool:
        attend()
        dealer.refusals()
        return dealer.connected

    try:
        eventually(connected)
        assert dealer.send(encode(Heartbeat()))
    finally:
        dealer.hang_up(linger=False)


@pytest.mark.parametrize("host", ["[::1]", "[::]"])
def test_workers_dial_an_orchestrator_that_listens_at_an_address_of_ipv6(host: str) -> None:
    with zmq.Context() as context:
        broker = Broker(context, f"tcp://{host}:*")
        try:
            port = broker.address.rpartition(":")[2]
            reached(f"tcp://[::1]:{port}", broker.receive)
            reached(broker.nearby, broker.receive)
        finally:
            broker.close()


def test_so_do_nodes() -> None:
    hub = NodeHub(HubSettings("tcp://[::1]:*"), lambda _: None)
    try:
        reached(hub.address, hub.attend)
    finally:
        hub.close()
