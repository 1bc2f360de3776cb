"""Node processes of this machine: ended together, whatever they do."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
from types import SimpleNamespace
from typing import Any, cast

import pytest
from node_lab import GRAPH, factors
from run_lab import is_alive

from benchmarks.running.free_port import free_port
from orchestrator.maximisers.message_passing.exchange import NodeError
from orchestrator.runtime.nodes import team as node_team
from orchestrator.runtime.nodes.hub import NodeHub
from orchestrator.runtime.nodes.local import LocalNodes
from orchestrator.runtime.nodes.team import local_team

PATIENCE_S = 0.2


def test_nodes_that_hang_are_waited_for_all_together(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = cast(NodeHub, SimpleNamespace(nearby=f"tcp://127.0.0.1:{free_port()}", keyring=None))
    nodes = LocalNodes()
    for _ in range(3):
        nodes.start(hub)
    for process in (processes := nodes.process_ids):
        os.kill(process, signal.SIGSTOP)

    patience: list[float] = []
    wait = subprocess.Popen.wait

    def counted(process: subprocess.Popen[Any], timeout: float | None = None) -> int:
        patience.append(timeout or 0.0)
        return wait(process, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", counted)
    nodes.end(PATIENCE_S)
    assert sum(patience) <= PATIENCE_S
    assert len(processes) == 3
    assert not any(is_alive(process) for process in processes)


class Machine:
    """It refuses so many processes first; what is said meanwhile is kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, refused: float) -> None:
        self.refused = refused
        self.said: list[str] = []
        started = subprocess.Popen

        def busy(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
            if self.refused > 0:
                self.refused -= 1
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            return started(*arguments, **options)

        monkeypatch.setattr(subprocess, "Popen", busy)
        monkeypatch.setattr(node_team, "START_AGAIN_AFTER_S", 0.01)

    def say(self, sentence: str, *, waiting: bool = False) -> None:
        del waiting
        self.said.append(sentence)


def test_a_system_that_has_no_process_to_give_for_a_while_delays_the_choice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = Machine(monkeypatch, refused=3)
    with local_team(machine.say, ()) as team:
        assert team(GRAPH, factors(True), True) is not None
        assert len(team.process_ids) == GRAPH.size
    (said,) = [sentence for sentence in machine.said if "Resource temporarily unavailable" in sentence]
    assert "it is tried again" in said


def test_and_one_that_has_none_for_long_is_a_choice_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, refused=float("inf"))
    monkeypatch.setattr(node_team, "SECONDS_TO_START", 0.05)
    expected = r"expected 3 node processes .* within 0\.05 s, 0 came \(Resource temporarily unavailable\)"
    with local_team(machine.say, ()) as team, pytest.raises(NodeError, match=expected):
        team(GRAPH, factors(True), True)
