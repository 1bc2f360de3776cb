"""The laboratory of tests/runtime, for runs that are killed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "runtime"))

from forked_life import Nurseries
from run_lab import MODULES, RunLab


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
