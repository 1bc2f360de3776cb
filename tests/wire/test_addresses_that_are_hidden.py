"""An address at which others are to be let in, and which only this machine reaches."""

from __future__ import annotations

import pytest

from orchestrator.wire.addresses import why_hidden


@pytest.mark.parametrize(
    ("asked", "listened_at"),
    [("tcp://login1:5555", "tcp://127.0.1.1:5555"), ("tcp://lo:*", "tcp://127.0.0.1:43123")],
)
def test_a_name_that_leads_to_the_loopback_is_said_to(asked: str, listened_at: str) -> None:
    said = why_hidden(asked, listened_at)
    assert said.startswith(f"no other machine reaches {asked}, which is {listened_at} here")


@pytest.mark.parametrize(
    ("asked", "listened_at"),
    [
        ("tcp://127.0.0.1:*", "tcp://127.0.0.1:43123"),
        ("tcp://localhost:5555", "tcp://127.0.0.1:5555"),
        ("tcp://*:5555", "tcp://0.0.0.0:5555"),
        ("tcp://login1:5555", "tcp://10.0.0.7:5555"),
        ("ipc:///run/lab", "ipc:///run/lab"),
    ],
)
def test_what_is_meant_for_this_machine_or_leaves_it_is_not(asked: str, listened_at: str) -> None:
    assert why_hidden(asked, listened_at) == ""
