"""Where nobody answers, what the machine that is dialled says tells a closed port from a wrong address."""

from __future__ import annotations

import errno
import os
import socket
import threading
from collections.abc import Callable

import pytest

from orchestrator.wire import unanswered
from orchestrator.wire.reached import NO_WAY, REFUSED, SILENT, TAKEN, dialling_on, why_not_reached
from orchestrator.wire.unanswered import FIRST_S, Unanswered


@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_port_that_is_closed_is_told_from_one_where_somebody_listens(family: int, host: str) -> None:
    try:
        listening = socket.create_server((host, 0), family=family)
    except OSError:
        pytest.skip("no such addresses here")
    with listening:
        port = listening.getsockname()[1]
        assert why_not_reached(host, port, 60.0) == TAKEN
    assert why_not_reached(host, port, 60.0) == REFUSED


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (TimeoutError(), SILENT),
        (OSError(errno.EHOSTUNREACH, "x"), NO_WAY.format(why=os.strerror(errno.EHOSTUNREACH))),
        (OSError(errno.ENETUNREACH, "x"), NO_WAY.format(why=os.strerror(errno.ENETUNREACH))),
        (OSError(errno.EMFILE, "x"), ""),
        (socket.gaierror(socket.EAI_NONAME, "x"), ""),
    ],
    ids=["dropped", "host", "network", "no file left", "no such name"],
)
def test_silence_is_told_from_there_being_no_way(
    raised: OSError, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Caller(socket.socket):
        def connect(self, address: object) -> None:
            del address
            raise raised

    monkeypatch.setattr(socket, "socket", Caller)
    assert why_not_reached("127.0.0.1", 5555, 60.0) == told


class AtOnce:
    """A thread that has run when it was started."""

    def __init__(
        self, target: Callable[..., None], args: tuple[object, ...] = (), daemon: bool = False
    ) -> None:
        del daemon
        self._run = lambda: target(*args)

    def start(self) -> None:
        self._run()


def test_what_the_machine_says_is_said_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[str, int]] = []

    def look(host: str, port: int, within_s: float) -> str:
        assert within_s < unanswered.LOOKED_AT_S
        looked.append((host, port))
        return REFUSED

    monkeypatch.setattr(threading, "Thread", AtOnce)
    monkeypatch.setattr(unanswered, "why_not_reached", look)
    watch = Unanswered("tcp://[fd00::17]:5555", 0.0)
    assert watch.on_time(watch.due) == ""
    assert watch.due == FIRST_S
    assert watch.on_time(watch.due) == f"nobody has answered at tcp://[fd00::17]:5555 for 5 s: {REFUSED}"
    assert looked == [("fd00::17", 5555)]


def test_who_dials_on_says_so_behind_a_question_as_behind_a_sentence() -> None:
    assert dialling_on("expected a host") == "expected a host; dialling on"
    for asked in (NO_WAY, REFUSED, SILENT, TAKEN):
        assert dialling_on(asked) == f"{asked} Dialling on."
