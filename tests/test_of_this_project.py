"""What tests start is of the project that they stand in, whatever is installed where they run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def test_a_process_that_a_test_starts_anywhere_has_the_packages_of_its_own_project(tmp_path: Path) -> None:
    program = "import orchestrator, evaluators; print(orchestrator.__file__, evaluators.__file__, sep='\\n')"
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert [Path(line).parents[1] for line in said.splitlines()] == [PROJECT, PROJECT]
