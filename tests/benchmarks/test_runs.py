"""Runs of the real orchestrator for a benchmark: what they show, and that they end with it."""

import subprocess

import pytest

from benchmarks.running import runs
from benchmarks.running.runs import run_spec, workplace

WORKLOAD = "def at_once(parameters):\n    return parameters['x1']\n"
SPEC = """\
experiment: short
objective: {name: y, goal: maximise}
parameters: {x1: {type: float, bounds: [0, 1]}}
algorithm: {name: random}
budget: {trials: 5}
evaluation: {evaluator: "workload:at_once"}
workers: {local: 1}
"""


def test_a_run_shows_its_results_its_asks_and_its_memory():
    with workplace(WORKLOAD) as folder:
        finished = run_spec(folder, SPEC)
    assert len(finished.results()) == 5
    assert sum(len(ask.suggestions) for ask in finished.asks()) == 5
    assert 0.0 < finished.workers_ready_at() <= finished.results()[0].at
    assert finished.megabytes["orchestrator"] > 5.0
    assert finished.journal_bytes > 500


def test_an_interrupted_benchmark_leaves_no_run_behind(monkeypatch):
    started = []

    class Watched(subprocess.Popen):
        def __init__(self, *told, **how):
            super().__init__(*told, **how)
            started.append(self)

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(runs.subprocess, "Popen", Watched)
    monkeypatch.setattr(runs._Memory, "look", interrupted)
    with workplace(WORKLOAD) as folder, pytest.raises(KeyboardInterrupt):
        run_spec(folder, SPEC)
    (process,) = started
    try:
        assert process.poll() is not None
    finally:
        process.kill()
        process.wait()
