"""An evaluator that no local worker can use ends the run with a sentence, and the run can be resumed."""

from __future__ import annotations

import io
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_here import done_here
from run_lab import PATIENCE_S

from orchestrator.report.monitors.quiet import QuietMonitor
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.loop import Loop
from orchestrator.runtime.run import RunOptions, run_experiment
from orchestrator.scheduler.events import Event, WorkerJoined
from orchestrator.spec.load import load_spec

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
    ended = done_here(tmp_path, "run", "spec.yaml", "--plain")
    assert ended.returncode == 1
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
    (tmp_path / "broken.py").write_text("def f(parameters, *, colour):\n    return parameters['x']\n")
    assert done_here(tmp_path, "resume", "--plain").returncode == 0


def test_the_run_ends_even_if_a_worker_is_gone_before_its_goodbye_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, commit, look = JournalWriter.append, JournalWriter.commit, Loop._miss_local_workers
    joined, ended = threading.Event(), threading.Event()

    def appended(journal: JournalWriter, events: Sequence[Event]) -> None:
        if any(isinstance(event, WorkerJoined) for event in events):
            joined.set()
        append(journal, events)

    def after_the_worker(journal: JournalWriter) -> None:
        # It was welcomed before this, so it says goodbye and ends; and nothing more is read meanwhile.
        assert not joined.is_set() or ended.wait(PATIENCE_S)
        commit(journal)

    def looked(loop: Loop) -> None:
        look(loop)
        if loop._workers.all_given_up:
            ended.set()

    monkeypatch.setattr(JournalWriter, "append", appended)
    monkeypatch.setattr(JournalWriter, "commit", after_the_worker)
    monkeypatch.setattr(Loop, "_miss_local_workers", looked)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spec.yaml").write_text(SPEC.replace("local: 2", "local: 1"))
    (tmp_path / "broken.py").write_text("def g(parameters):\n    return 1\n\n\nf = g\n")
    outcome = run_experiment(load_spec(tmp_path / "spec.yaml"), RunOptions(QuietMonitor(io.StringIO())))
    assert outcome.failed
    assert "has no option `colour`" in outcome.message


def test_a_budget_that_brought_nothing_but_failures_has_failed_and_the_run_says_where_to_look(
    tmp_path: Path,
) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "broken.py").write_text("def f(parameters, colour):\n    raise RuntimeError('motor off')\n")
    ended = done_here(tmp_path, "run", "spec.yaml", "--quiet", "--logs", "logs")
    assert ended.returncode == 1
    assert "no evaluation has succeeded. Trial " in ended.stderr
    assert "RuntimeError: motor off" in ended.stderr
    ended = done_here(tmp_path, "run", "spec.yaml", "--plain", "--logs", "logs")
    assert ended.returncode == 1
    assert "Ended: every trial of the budget is settled." in ended.stderr
    assert "failed: error: RuntimeError: motor off" in ended.stderr
    assert "orchestrator explain logs/" in ended.stderr
