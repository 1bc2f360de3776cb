"""The laboratory of tests/runtime, for runs that are killed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "runtime"))

from run_lab import RunLab


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[RunLab]:
    lab = RunLab(tmp_path)
    yield lab
    lab.close()
