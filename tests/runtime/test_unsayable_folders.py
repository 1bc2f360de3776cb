"""A folder whose name is no UTF-8, as on disks of long ago: refused before anything is started in it."""

from __future__ import annotations

import os
import sys

import pytest
from run_lab import RunLab, spec

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no such name")


def test_no_run_begins_or_goes_on_in_one(lab: RunLab) -> None:
    path = lab.write(spec(budget={"trials": 1}))
    unsayable = os.fsdecode(os.fsencode(lab.directory / "logs") + b"\xff")
    said = lab.said("run", str(path), "--plain", "--logs", unsayable, code=2)
    assert said == (
        f"expected a folder whose path is UTF-8, got {lab.logs}\\xff: name another: "
        "orchestrator run SPEC --logs DIR\n"
    )
    assert not os.path.exists(unsayable)

    lab.said("run", str(path), "--quiet", "--logs", str(lab.logs))
    os.rename(lab.logs, unsayable)
    said = lab.said("resume", "--logs", unsayable, code=2)
    assert "expected a folder whose path is UTF-8" in said


def test_no_worker_keeps_its_files_in_one(lab: RunLab) -> None:
    unsayable = os.fsdecode(os.fsencode(lab.directory / "kept") + b"\xff")
    line = ["worker", "--connect", "tcp://127.0.0.1:5", "--evaluator", "wings:drag", "--directory", unsayable]
    said = lab.said(*line, code=2)
    assert said.endswith("name another: --directory DIR\n")
