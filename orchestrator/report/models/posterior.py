"""Which settings are plausible by what a run was fitted to, by models of its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from orchestrator.parameters.priors import knowing, prior_of_points
from orchestrator.parameters.space import Space
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.composed_results import composed_model
from orchestrator.report.models.measured_results import points_of_failures, trials_with
from orchestrator.report.words.posterior import LeastMisfit
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.trial import Trial
from orchestrator.sensitivity.calibration import DRAWS, Calibration, calibrated, fitted_with_errors
from orchestrator.sensitivity.composed import ComposedModel
from orchestrator.sensitivity.marginals import Marginals, marginals
from orchestrator.spec.build import build_problem, build_space, build_wanted_outcomes
from orchestrator.system.blas_threads import one_thread


@dataclass(frozen=True, eq=False, slots=True)
class RunPosterior:
    """Of the parameters of a ``space``: what was ``found``, by draws of a ``calibration`` by a ``model``. The
    ``best`` trial has the ``least`` misfit that was seen.
    """

    space: Space
    found: Marginals
    calibration: Calibration
    model: ComposedModel
    best: Trial
    least: LeastMisfit


def run_posterior(
    run: RunSoFar,
    draws: int = DRAWS,
    priors: Mapping[str, Any] = MappingProxyType({}),
    *,
    scaled: bool = False,
) -> RunPosterior:
    """Takes some seconds, and more where there are many results. What is known beforehand is what the spec
    says, but of parameters of which ``priors`` say something else, or that nothing is. ``scaled``: all
    errors may be larger than told, by one factor.

    Raises UsageError for a run that is fitted to nothing, or without errors, and for what cannot be known,
    OrchestratorError where results are too few.
    """
    spec = amended(run.spec, run.state)
    wanted, space = build_wanted_outcomes(spec), knowing(build_space(spec), priors)
    fitted_with_errors(None if wanted is None else wanted.computed)
    assert wanted is not None, "what is fitted is an outcome"
    best, misfit = min(trials_with(run, spec.objective.name), key=lambda told: (told[1], told[0].number))
    with one_thread():
        model = composed_model(run, spec, space)
        problem = replace(build_problem(spec), beforehand=prior_of_points(space))
        calibration = calibrated(problem, model, points_of_failures(run, space), draws, scaled=scaled)
    found = marginals(space, calibration)
    least = LeastMisfit(best.number, misfit, bool(wanted.constraints))
    return RunPosterior(space, found, calibration, model, trial_of(run.state, best), least)
