"""What is expected, at points that a person asks about, of an objective that is computed from outcomes."""

from __future__ import annotations

import numpy as np

from orchestrator.numerics.rng import stream
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.composed_results import composed_model
from orchestrator.report.models.measured_results import measured_of, points_of_failures, trials_with
from orchestrator.report.models.predictions import AskedPoints, RunPredictions
from orchestrator.report.models.reference_place import reference_place
from orchestrator.report.words.goals import units_of
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.sensitivity.held_out import checked
from orchestrator.sensitivity.prediction import predict
from orchestrator.sensitivity.success import believed_success, failed_among
from orchestrator.sensitivity.tolerated import OutcomeModels
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.spec.build import build_problem, build_wanted_outcomes
from orchestrator.system.blas_threads import one_thread


def composed_predictions(run: RunSoFar, asked: AskedPoints) -> RunPredictions:
    """By models of the outcomes that it is computed from, and of those that are constrained.

    Raises OrchestratorError where results are too few.
    """
    spec = amended(run.spec, run.state)
    name, space, problem = spec.objective.name, asked.space, build_problem(spec)
    wanted = build_wanted_outcomes(spec)
    assert wanted is not None
    told = trials_with(run, name)
    measured = measured_of(run, space, name, told)
    constrained = {
        outcome: measured_of(run, space, outcome, trials_with(run, outcome))
        for outcome in wanted.outcomes
        if wanted.names(outcome)
    }
    tried, failed = failed_among(problem, measured, points_of_failures(run, space))
    with one_thread():
        model = composed_model(run, spec, space)
        composed = model.at(np.array([space.encode(one) for one in asked.points]))
        beside = OutcomeModels.fitted(problem, space, wanted.settled, constrained, checked)
        rng = stream(problem.seed, "predictions", len(measured))
        success = believed_success(problem, tried, failed)
        relative = beside.relative_to(reference_place(run, space))
        found = predict(composed.value, relative, asked.points, rng, success)
    numbers = dict(zip(wanted.numbers, composed.numbers, strict=True))
    found = found.beside(numbers, dict(zip(wanted.points, composed.curves, strict=True)))
    is_asked = bool(wanted.settled or space.required)
    models: dict[str, ValueModel] = {name: model, **beside.models}
    failures = int(failed.sum())
    chances = is_asked, failures, len(tried)
    return RunPredictions(asked, name, found, models, *chances, units_of(spec), places=wanted.places)
