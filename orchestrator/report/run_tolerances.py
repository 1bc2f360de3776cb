"""What becomes of a run's best points where settings are off by a little, by models of its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.blas_threads import one_thread
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.numerics.rng import stream
from orchestrator.report.measured_results import measured_of, trials_with
from orchestrator.report.runs import FollowedRun
from orchestrator.runtime.amendments import amended
from orchestrator.scheduler.state import Trial
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.least_affected import LeastAffected, least_affected
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.tolerances import OutcomeModels, Tolerances, Tolerated
from orchestrator.space import Space
from orchestrator.spec.build import build_problem, build_space, build_wanted_outcomes


@dataclass(frozen=True, eq=False, slots=True)
class RunTolerances:
    """Of the ``best`` trial, of that of all ``tried`` which is best within ``tolerances``, and of the point
    that the models hold best anywhere: how each behaves. ``models`` are of the objective and of the outcomes
    that are constrained, by name.
    """

    objective: str
    space: Space
    tolerances: Tolerances
    best: Trial
    tried: Trial
    found: LeastAffected
    models: Mapping[str, ResultsModel]
    constrained: bool


def run_tolerances(run: FollowedRun, widths: Mapping[str, float]) -> RunTolerances:
    """Takes some seconds, and more where there are many results.

    Raises UsageError for tolerances that are wrong and for a run of several objectives, OrchestratorError
    where results are too few or none is the best.
    """
    spec = amended(run.spec, run.state)
    if spec.further_objectives:
        raise UsageError("expected a run of one objective, got one of several: of those no point is the best")
    space, name, best = build_space(spec), spec.objective.name, run.state.best
    tolerances = Tolerances(space, widths)
    told = trials_with(run, name)
    if best is None:
        raise OrchestratorError(f"expected a run with a best trial, got {run.folder.path}, which has none")
    problem, wanted = build_problem(spec), build_wanted_outcomes(spec)
    constraints = () if wanted is None else wanted.constraints
    named = {one.name for constraint in constraints for one in constraint.names}
    points = np.array([space.encode(trial.parameters) for trial, _ in told])
    # What was looked at less closely is learned from, and is no answer.
    sought = problem.sought.contains(points)
    trials = [trial for (trial, _), own in zip(told, sought, strict=True) if own]
    with one_thread():
        asked = [name, *(outcome for outcome in spec.outcomes if outcome in named)]
        models = {one: _model(run, problem, space, one) for one in asked}
        outcomes = {one: model for one, model in models.items() if one != name}
        tolerated = Tolerated(
            tolerances, models[name], OutcomeModels(space, constraints, outcomes), models[name].sign
        )
        at = next(i for i, trial in enumerate(trials) if trial.number == best.number)
        rng = stream(problem.seed, "tolerances", len(points))
        found = least_affected(tolerated, problem.sought, points[sought], at, rng)
    return RunTolerances(
        name, space, tolerances, best, trials[found.among_tried], found, models, bool(constraints)
    )


def _model(run: FollowedRun, problem: Problem, space: Space, name: str) -> ResultsModel:
    alone = problem_of_one(problem, first=name == run.spec.objective.name)
    return ResultsModel.fitted(alone, measured_of(run, space, name, trials_with(run, name)))
