"""What lies in the folder where a run is started may be called as modules of the run's own processes are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SPEC = """\
experiment: shadowed
objective: {name: drag, goal: minimise}
parameters:
  span: {type: float, bounds: [0, 1]}
algorithm: add-mes
budget: {trials: 4}
mode: sequential
initial: {count: 2}
workers: {local: 1}
evaluation: {evaluator: "wing:drag"}
"""
CAMEL = """\
  x1: {type: float, bounds: [-3, 3]}
  x2: {type: float, bounds: [-2, 2]}"""
WING = """\
def drag(parameters):
    return parameters["span"] ** 2
"""


def installed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as the script that was installed is: without the folder among the places of modules."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "orchestrator", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_run_needs_none_of_them_and_still_finds_its_evaluator_there(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "wing.py").write_text(WING)
    for name in ("orchestrator", "evaluators", "random", "signal", "numpy", "msgspec"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise RuntimeError('{name} is not meant')\n")
    ended = installed(tmp_path, "run", "spec.yaml", "--plain")
    assert ended.returncode == 0, ended.stderr
    assert "4 trials completed, 0 failed" in ended.stderr


def test_an_evaluator_that_comes_with_the_project_needs_nothing_of_the_folder(tmp_path: Path) -> None:
    """Not even where it imports numpy, which imports `random`."""
    ours = '"evaluators.synthetic:function", options: {name: camel}'
    spec = SPEC.replace("{name: drag, goal: minimise}", "{name: height, goal: maximise}")
    spec = spec.replace('"wing:drag"', ours).replace("  span: {type: float, bounds: [0, 1]}", CAMEL)
    (tmp_path / "spec.yaml").write_text(spec)
    (tmp_path / "random.py").write_text("raise RuntimeError('not meant for the orchestrator')\n")
    ended = installed(tmp_path, "run", "spec.yaml", "--plain")
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("name", ["random", "orchestrator"])
def test_an_evaluator_that_is_called_as_a_module_of_python_or_of_this_project_is_to_be_renamed(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC.replace("wing", name))
    (tmp_path / f"{name}.py").write_text(WING)
    refused = installed(tmp_path, "run", "spec.yaml", "--plain")
    assert refused.returncode == 2
    assert f"`{name}` in {tmp_path} is not looked at" in refused.stderr
    assert "rename it" in refused.stderr


def test_an_evaluator_is_looked_for_in_the_folder_before_what_is_installed(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC.replace("wing", "threadpoolctl"))
    (tmp_path / "threadpoolctl.py").write_text(WING)
    ended = installed(tmp_path, "run", "spec.yaml", "--plain")
    assert ended.returncode == 0, ended.stderr
