from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from native_lab import QUADRATIC, NativeLab
from worker_lab import Lab

from orchestrator.wire.scripted import ScriptedOrchestrator


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    yield lab
    lab.close()


@pytest.fixture
def native(tmp_path: Path) -> Iterator[NativeLab]:
    lab = NativeLab(tmp_path)
    yield lab
    lab.close()


@pytest.fixture
def wire() -> Iterator[ScriptedOrchestrator]:
    """An orchestrator whose evaluator the worker in C++ has built in."""
    with ScriptedOrchestrator(QUADRATIC, heartbeat_s=1.0) as scripted:
        yield scripted
