"""Addresses to listen at: of either kind, of one link alone, by the name of a host or an interface."""

from __future__ import annotations

import pytest

from orchestrator.wire.addresses import is_address, is_loopback
from orchestrator.wire.unanswered import place_of


@pytest.mark.parametrize(
    ("host", "dialled"),
    [
        ("10.0.0.17", "10.0.0.17"),
        ("the-lab", "the-lab"),
        ("eth0", "eth0"),
        ("[fd00::17]", "fd00::17"),
        ("[fe80::17%eth0]", "fe80::17%eth0"),
        ("[fe80::17%br-lan.2]", "fe80::17%br-lan.2"),
        ("[fe80::17%2]", "fe80::17%2"),
    ],
)
def test_it_is_one(host: str, dialled: str) -> None:
    assert is_address(f"tcp://{host}:5555")
    assert is_address(f"tcp://{host}:*")
    assert not is_loopback(f"tcp://{host}:5555")
    assert place_of(f"tcp://{host}:5555") == (dialled, 5555)


@pytest.mark.parametrize(
    "host", ["fe80::17%eth0", "[fe80::17%]", "[fe80::17%eth0", "[eth0]", "[fe80::17%a b]"]
)
def test_it_is_none(host: str) -> None:
    assert not is_address(f"tcp://{host}:5555")
