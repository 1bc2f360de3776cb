"""A run whose value is computed from outcomes, and one that trades off what its program prints."""

from __future__ import annotations

from typing import Any

from amended_lives import Run

from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.spec.load import load_spec_text

SPEC = """\
experiment: wing
objective: {name: total, goal: minimise, value: "2 * cost + mass"}
outcomes: [cost, mass]
parameters:
  span: {type: float, bounds: [1, 9]}
algorithm: sobol
budget: {trials: 40}
evaluation: {evaluator: "wings:drag", attempts: 1}
mode: sequential
"""
TRADED_OFF = """\
experiment: wing
objectives: [{name: drag, goal: minimise}, {name: mass, goal: minimise}]
parameters: {span: {type: float, bounds: [1, 9]}}
budget: {trials: 9}
evaluation: {command: [./fly, "{span}"], attempts: 1, output: {patterns: {drag: "d(.)", mass: "m(.)"}}}
mode: sequential
"""
SPEC_ = load_spec_text(SPEC, "spec.yaml", None).spec


def returned(run: Run, span: float, **outcomes: Any) -> None:
    """The next trial's evaluation returns outcomes, which a run judges as it does."""
    run.trial({"span": span}, None)
    number = len(run.state.trials)
    came = ev.ResultArrived(at=run.state.at + 0.5, worker="w", lease=f"{number}.1", extras=outcomes)
    wanted = WantedResults.of(run.spec, run.state.amended.constraints, run.state.amended.values)
    run.happen(wanted.judged(came, {"span": span}))


def begun() -> Run:
    run = Run(SPEC_)
    returned(run, 2.0, cost=1.0, mass=3.0)
    returned(run, 3.0, cost=2.0, mass=2.0)
    returned(run, 4.0, cost=5.0, mass=1.0)
    return run
