"""Lets the tests of this folder import `run_lab`, and gives each a laboratory that leaves nothing behind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from run_lab import RunLab


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[RunLab]:
    lab = RunLab(tmp_path)
    yield lab
    lab.close()
