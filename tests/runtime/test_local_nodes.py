"""Node processes of this machine: ended together, whatever they do."""

from __future__ import annotations

import os
import signal
import subprocess
from types import SimpleNamespace
from typing import Any, cast

import pytest
from run_lab import is_alive

from benchmarks.free_port import free_port
from orchestrator.runtime.local_nodes import LocalNodes
from orchestrator.runtime.node_hub import NodeHub

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
