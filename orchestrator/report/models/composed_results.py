"""A model of a run's objective that is computed from outcomes: by models of these."""

from __future__ import annotations

import numpy as np

from orchestrator.parameters.space import Space
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.measured_results import measured_of, trials_with
from orchestrator.sensitivity.composed import ComposedModel, Composing
from orchestrator.spec.build import build_problem, build_wanted_outcomes
from orchestrator.spec.model import Spec


def is_of_outcomes(spec: Spec, quantity: str | None) -> bool:
    """Whether a quantity, or without one the objective, is the objective and computed."""
    return spec.objective.is_computed and quantity in (None, spec.objective.name)


def composed_model(run: RunSoFar, spec: Spec, space: Space) -> ComposedModel:
    """Of a run whose ``spec``, as amended, has such an objective. Takes as long as one fit.

    Raises OrchestratorError where results are too few.
    """
    wanted = build_wanted_outcomes(spec)
    assert wanted is not None
    assert wanted.computed is not None, "who asks knows that it is computed"
    told = trials_with(run, spec.objective.name)
    points = measured_of(run, space, spec.objective.name, told).points
    judged = [wanted.judged(trial.parameters, trial.extras, value) for trial, value in told]
    rows = np.array([one.composed for one in judged])
    computed = wanted.computed
    return ComposedModel.fitted(Composing(build_problem(spec), computed, points, rows, computed.sign))
