"""Where Python cannot look whether a process has ended, as macOS's before 3.13, nothing is begun."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SPEC = """
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [0, 1]}}
budget: {trials: 1}
evaluation: {evaluator: "math:sqrt"}
workers: {local: 1}
"""
WITHOUT = "import os, sys; del os.waitid; from {} import main; sys.exit(main(sys.argv[1:]))"


def said_without(module: str, *arguments: str, directory: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT.format(module), *arguments]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("orchestrator.cli", ["run", "spec.yaml"]),
        ("evaluators.worker", ["--connect", "tcp://127.0.0.1:1", "--evaluator", "math:sqrt"]),
    ],
)
def test_a_run_with_workers_and_a_worker_are_refused_with_what_would_help(
    tmp_path: Path, module: str, arguments: list[str]
) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    ended = said_without(module, *arguments, directory=tmp_path)
    assert ended.returncode == 2
    assert "macOS's from 3.13 on, got 3." in ended.stderr
    assert "PYTHON=python3.13" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "logs").exists()
