"""A name is dialled at its address of IPv4; where it has none, whoever waits is told what to dial instead."""

from __future__ import annotations

import socket
import time

import pytest

from orchestrator.wire import unanswered
from orchestrator.wire.unanswered import FIRST_S, Unanswered

OF_IPV6 = (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("fd00::17", 0, 0, 0))
OF_IPV4 = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.17", 0))


def told(found: list[object], monkeypatch: pytest.MonkeyPatch) -> str:
    """After some seconds, where the name server has found that."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: found)
    monkeypatch.setattr(unanswered, "why_not_reached", lambda *_: "")
    watch = Unanswered("tcp://lab.example:5555", 0.0)
    until = time.monotonic() + 60.0
    while watch.looked_up and time.monotonic() < until:
        time.sleep(0.001)
    assert watch.on_time(watch.due) == ""
    return watch.on_time(FIRST_S)


def test_one_of_ipv6_alone_is_to_be_dialled_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = told([OF_IPV6], monkeypatch)
    assert "got `lab.example` in tcp://lab.example:5555, which has one of IPv6 alone" in sentence
    assert "tcp://[fd00::17]:5555" in sentence


def test_where_there_is_one_of_each_that_of_ipv4_is_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told([OF_IPV6, OF_IPV4], monkeypatch).startswith("nobody has answered at tcp://lab.example:5555")
