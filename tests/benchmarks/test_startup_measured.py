"""What a start costs is what its process spent."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.startup import spent_by


def test_what_a_process_spent_is_its_own_and_not_that_of_who_began_it(tmp_path: Path) -> None:
    own = b"x" * (300 << 20)
    little = spent_by(["-c", "pass"], tmp_path)
    much = spent_by(["-c", "sum(range(10_000_000)); b'x' * (300 << 20)"], tmp_path)
    assert 0.0 < little.cpu_seconds < much.cpu_seconds
    assert little.megabytes < 300.0 < much.megabytes
    assert len(own) == 300 << 20


def test_what_does_not_end_well_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 3"):
        spent_by(["-c", "raise SystemExit(3)"], tmp_path)
