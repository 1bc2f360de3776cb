"""Lets the tests of this folder import what they share, and gives each what leaves nothing behind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conductor_stage import Stage
from forked_life import Nurseries
from node_lab import NodeLab
from run_lab import HERE, MODULES, PATIENCE_S, RunLab
from served_optimiser import Served

from orchestrator.command_line import decisions


@pytest.fixture(autouse=True)
def patient_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who decides over a run waits for its answer, however busy the machine is."""
    monkeypatch.setattr(decisions, "ANSWER_WITHIN_S", PATIENCE_S)


@pytest.fixture(scope="session")
def nurseries() -> Iterator[Nurseries]:
    nurseries = Nurseries(MODULES)
    yield nurseries
    nurseries.close()


@pytest.fixture
def lab(tmp_path: Path, nurseries: Nurseries) -> Iterator[RunLab]:
    lab = RunLab(tmp_path, nurseries)
    yield lab
    lab.close()


@pytest.fixture
def node_lab(tmp_path: Path, nurseries: Nurseries) -> Iterator[NodeLab]:
    lab = NodeLab(tmp_path, nurseries.first)
    yield lab
    lab.close()


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    monkeypatch.syspath_prepend(str(HERE))
    return Stage(tmp_path)


@pytest.fixture
def serve() -> Iterator[list[Served]]:
    servers: list[Served] = []
    yield servers
    for server in servers:
        server.close()
