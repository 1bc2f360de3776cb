"""An evaluator that no local worker can use ends the run with a sentence, and the run can be resumed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SPEC = """\
experiment: unusable
objective: {name: y, goal: maximise}
parameters:
  x: {type: float, bounds: [0, 1]}
algorithm: random
budget: {trials: 2}
workers: {local: 2}
evaluation: {evaluator: "broken:f", options: {colour: red}}
"""


def orchestrator(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command, to its end."""
    return subprocess.run(
        [sys.executable, "-m", "orchestrator", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            "import nosuchmodule\ndef f(parameters, colour):\n    return 1\n",
            "needs the module nosuchmodule",
        ),
        # What is bound to a name by an assignment is known only to who runs the module.
        ("def g(parameters):\n    return 1\n\n\nf = g\n", "has no option `colour`"),
    ],
)
def test_the_run_says_why_and_goes_on_once_it_is_mended(tmp_path: Path, source: str, sentence: str) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "broken.py").write_text(source)
    ended = orchestrator(tmp_path, "run", "spec.yaml", "--plain")
    assert ended.returncode == 1
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
    (tmp_path / "broken.py").write_text("def f(parameters, *, colour):\n    return parameters['x']\n")
    assert orchestrator(tmp_path, "resume", "--plain").returncode == 0


def test_a_budget_that_brought_nothing_but_failures_has_failed_and_the_run_says_where_to_look(
    tmp_path: Path,
) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "broken.py").write_text("def f(parameters, colour):\n    raise RuntimeError('motor off')\n")
    ended = orchestrator(tmp_path, "run", "spec.yaml", "--quiet", "--logs", "logs")
    assert ended.returncode == 1
    ended = orchestrator(tmp_path, "run", "spec.yaml", "--plain", "--logs", "logs")
    assert ended.returncode == 1
    assert "Ended: every trial of the budget is settled." in ended.stderr
    assert "failed: error: RuntimeError: motor off" in ended.stderr
    assert "orchestrator explain logs/" in ended.stderr
