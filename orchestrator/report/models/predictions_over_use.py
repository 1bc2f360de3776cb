"""What designs that a person asks about are expected to be worth over the conditions that vary in use."""

from __future__ import annotations

import numpy as np

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.measured_results import measured_of, points_of_failures, trials_with
from orchestrator.report.models.predictions import AskedPoints, RunPredictions
from orchestrator.report.words.goals import units_of
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.sensitivity.over_use import DesignsModel
from orchestrator.sensitivity.prediction import Predictions
from orchestrator.spec.build import build_problem
from orchestrator.system.blas_threads import one_thread


def predictions_over_use(run: RunSoFar, asked: AskedPoints) -> RunPredictions:
    """By the models of their search. Raises OrchestratorError where results are too few."""
    spec = amended(run.spec, run.state)
    name, space, problem = spec.objective.name, asked.space, build_problem(spec)
    assert problem.in_use is not None, "who asks knows that something varies"
    measured = measured_of(run, space, name, trials_with(run, name))
    model = DesignsModel(problem, problem.in_use, measured, points_of_failures(run, space))
    points = np.array([space.encode(one) for one in asked.points])
    with one_thread():
        value = model.expected(points)
    kept = [0.0 if space.broken_by(one) else 1.0 for one in asked.points]
    found = Predictions(value, {}, np.array(kept), np.ones(len(points)))
    units, over = units_of(spec), problem.in_use.over.words
    return RunPredictions(asked, name, found, {}, bool(space.required), 0, len(measured), units, over)
