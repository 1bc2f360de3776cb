"""How good a run's best points are where settings are a little off, by models of its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.composed_results import composed_model, is_of_outcomes
from orchestrator.report.models.measured_results import measured_of, points_of_failures, trials_with
from orchestrator.report.words.without_best import why_no_best
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.trial import Trial
from orchestrator.sensitivity.least_affected import LeastAffected
from orchestrator.sensitivity.tolerance_analysis import Evaluated, analyse_tolerances, named_outcomes
from orchestrator.sensitivity.tolerances import Tolerances
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.spec.build import build_problem, build_space, build_wanted_outcomes
from orchestrator.spec.checks.clock import is_the_clock
from orchestrator.system.blas_threads import one_thread
from orchestrator.values.named import Values

NONE_SAID = (
    "expected a tolerance for one parameter at least, got none: the spec has none of its own, so say which"
    " are off, as --off span=0.5"
)


@dataclass(frozen=True, eq=False, slots=True)
class RunTolerances:
    """Of the ``best`` trial, of that of all ``tried`` which is best within ``tolerances``, and of the point
    that the models hold best anywhere: how each behaves. ``models`` are of the objective and of the outcomes
    that are constrained, by name. ``failed``: how many of all ``evaluated`` did. ``now`` is what the clock
    shows, by its name, where values drift: trials are then as they would be at that time.
    """

    objective: str
    tolerances: Tolerances
    best: Trial
    tried: Trial
    found: LeastAffected
    models: Mapping[str, ValueModel]
    constrained: bool
    failed: int = 0
    evaluated: int = 0
    now: Values = field(default_factory=dict)


def run_tolerances(run: RunSoFar, widths: Mapping[str, float]) -> RunTolerances:
    """By the ``widths`` or, without any, the spec's tolerances. Takes some seconds, and more where there are
    many results.

    Raises UsageError for tolerances that are wrong and for a run of several objectives, OrchestratorError
    where results are too few or none is the best, unless that is for the time alone.
    """
    spec = amended(run.spec, run.state)
    if spec.further_objectives:
        raise UsageError("expected a run of one objective, got one of several: of those no point is the best")
    space, name, best = build_space(spec), spec.objective.name, run.state.found.best
    if not (widths or space.tolerances):
        raise UsageError(NONE_SAID)
    if spec.clock is not None and spec.clock in widths:
        raise UsageError(is_the_clock(spec.clock))
    now = run.state.shown_by_clock(run.state.at)
    tolerances = Tolerances(space, widths or space.tolerances, {**spec.held, **now})
    told = trials_with(run, name)
    if why_no_best(run.state) not in {None, "none is now"}:
        raise OrchestratorError(f"expected a run with a best trial, got {run.folder.path}, which has none")
    wanted = build_wanted_outcomes(spec)
    constraints = () if wanted is None else wanted.settled
    outcomes = {
        outcome: measured_of(run, space, outcome, trials_with(run, outcome))
        for outcome in named_outcomes(constraints, tuple(spec.outcomes))
    }
    at = None if best is None else [trial.number for trial, _ in told].index(best.number)
    failures = points_of_failures(run, space)
    values = measured_of(run, space, name, told)
    with one_thread():
        model = composed_model(run, spec, space) if is_of_outcomes(spec, None) else None
        evaluated = Evaluated(values, outcomes, failures, at, model)
        analysis = analyse_tolerances(build_problem(spec), tolerances, constraints, evaluated)
    return RunTolerances(
        name,
        tolerances,
        trial_of(run.state, told[analysis.best][0]),
        trial_of(run.state, told[analysis.tried][0]),
        analysis.found,
        {name: analysis.value, **analysis.outcomes},
        bool(constraints),
        analysis.failed,
        len(told) + len(failures),
        now,
    )
