"""How a run's values are spread where some of its parameters are uncertain, by models of its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from orchestrator.errors import SpecError, UsageError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import Constraint
from orchestrator.expressions.limits import limits_among, limits_asked
from orchestrator.parameters.nameable import nameable
from orchestrator.parameters.priors import knowing, prior_of_points
from orchestrator.parameters.space import Space
from orchestrator.parameters.uncertain import NOTHING, Uncertain
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.composed_results import composed_model
from orchestrator.report.models.measured_results import (
    measured_of,
    points_of_failures,
    quantities_of,
    trials_with,
)
from orchestrator.report.models.predictions import (
    NOTHING_TO_TAKE,
    always_and_now,
    left_out_as,
    left_out_of,
    usual_in_use,
)
from orchestrator.report.words.goals import goals_of, units_of
from orchestrator.report.words.spread import RunSpread, WhereSpread
from orchestrator.report.words.wording import finite_number
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.reference import measured_at_reference, reference_of
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.calibration import fitted_with_errors
from orchestrator.sensitivity.held_out import checked
from orchestrator.sensitivity.spread_models import ComposedQuantities, SpreadModels, seen_broken, succeed
from orchestrator.sensitivity.success import believed_success, failed_among
from orchestrator.sensitivity.variance_shares import VarianceShares
from orchestrator.spec.begun.asked_points import typed_point
from orchestrator.spec.build import build_problem, build_space, build_wanted_outcomes
from orchestrator.spec.model import Spec
from orchestrator.system.blas_threads import one_thread
from orchestrator.values.typed_pairs import name_and_value
from orchestrator.wanted_outcomes import WantedOutcomes

SETTINGS_BY_A_FIT = (
    "expected no settings beside --posterior, by which all parameters are as plausible as a fit says; got {}"
)


@dataclass(frozen=True, slots=True)
class AskedSpread:
    """``settings`` ``x=0.3`` each, that are exact; what is known of uncertain parameters, by name, in the
    place of what the spec says, as `Uncertain.of` takes it; ``limits`` besides the spec's own; which
    quantities it is ``of``, if not of all that the spec names; and whether over what is plausible by a
    ``posterior``, where all errors may be ``scaled`` by one factor.
    """

    settings: Sequence[str] = ()
    priors: Mapping[str, Any] = field(default_factory=dict)
    limits: Sequence[str] = ()
    of: Sequence[str] = ()
    posterior: bool = False
    scaled: bool = False


def run_spread(run: RunSoFar, asked: AskedSpread) -> RunSpread:
    """Takes some seconds, and more where there are many results.

    Raises UsageError where nothing is uncertain, for what cannot be known, for limits and quantities of none,
    SpecError for settings that are wrong, OrchestratorError where results are too few.
    """
    spec = amended(run.spec, run.state)
    space, problem, wanted = build_space(spec), build_problem(spec), build_wanted_outcomes(spec)
    where = _where(run, spec, space, asked)
    limits = _limits(run, spec, space, wanted, asked)
    names = _named(spec, wanted, asked, limits)
    if asked.posterior:
        fitted_with_errors(None if wanted is None else wanted.computed)
    measured = measured_of(run, space, spec.objective.name, trials_with(run, spec.objective.name))
    failures = points_of_failures(run, space)
    tried, failed = failed_among(problem, measured, failures)
    calibration, reasons, shares = None, list[str](), dict[str, VarianceShares]()
    with one_thread():
        models = _models(run, spec, space, names, asked)
        if where.uncertain is None:
            known = replace(problem, beforehand=prior_of_points(where.space))
            settings, calibration = models.plausible(known, failures, scaled=asked.scaled)
        else:
            about = where.uncertain.about(where.settings)
            settings, reasons, shares = models.about(about), about.names, models.shares(about)
        found = models.spread(space, settings, limits, calibration)
        succeeds = succeed(believed_success(problem, tried, failed), space, settings)
    shown = {name: own for name, own in found.quantities.items() if not asked.of or name in asked.of}
    results = _results(run)
    return RunSpread(
        where,
        replace(found, quantities=shown),
        len(settings.points),
        reasons,
        {name: own for name, own in shares.items() if name in shown},
        models.named,
        {limit.text: seen_broken(limit, results) for limit in limits},
        units_of(spec),
        () if wanted is None else tuple(wanted.points),
        succeeds,
        int(failed.sum()),
        len(tried),
        calibration,
    )


def _where(run: RunSoFar, spec: Spec, space: Space, asked: AskedSpread) -> WhereSpread:
    if asked.posterior:
        if asked.settings:
            raise UsageError(SETTINGS_BY_A_FIT.format(asked.settings[0]))
        return WhereSpread(knowing(space, asked.priors), None)
    told = {name_and_value(text, spec.parameters)[0] for text in asked.settings}
    never = {name for name in (spec.clock, spec.fidelity and spec.fidelity.parameter) if name}
    uncertain = Uncertain.of(space, asked.priors, told, never)
    if not uncertain.names:
        fit = "; of a fit also --posterior" if spec.objective.fit is not None else ""
        raise UsageError(f"{NOTHING.format(f'--prior {space.names[0]}=12+-1.5')}{fit}")
    best, always = run.state.found.best, always_and_now(run, spec)
    beside = {**usual_in_use(spec), **uncertain.middle, **left_out_as(run, space), **always}
    try:
        settings = typed_point(spec, asked.settings, beside)
    except SpecError:
        if asked.settings:
            raise
        raise UsageError(NOTHING_TO_TAKE) from None
    known = {*told, *always, *uncertain.spread}
    left_out = left_out_of(space, space.counted(settings), known)
    return WhereSpread(space, uncertain, settings, left_out, None if best is None else best.number)


def _limits(
    run: RunSoFar, spec: Spec, space: Space, wanted: WantedOutcomes | None, asked: AskedSpread
) -> tuple[Constraint, ...]:
    """Those that are asked about, and without a quantity that is asked about alone the spec's own."""
    following = [one.name for one in space.computed]
    names = nameable(space.parameters, space.fixed, tuple(quantities_of(run)), following)
    names = replace(names, reference=reference_of(run.state) is not None)
    there = [{**one.extras, spec.objective.name: one.value} for one in measured_at_reference(run.state)]
    limits = limits_asked(asked.limits, names, there)
    if asked.of:
        return limits
    own = () if wanted is None else limits_among(wanted.settled)
    if (threshold := spec.objective.threshold) is not None:
        # Formulas may have no name for it.
        with suppress(ArithmeticMistake):
            own = (names.of_known(f"{spec.objective.name} <= {threshold:.15g}"), *own)
    texts = {one.text: one for one in (*own, *limits)}
    return tuple(texts.values())


def _named(
    spec: Spec, wanted: WantedOutcomes | None, asked: AskedSpread, limits: Sequence[Constraint]
) -> tuple[str, ...]:
    """The quantities that are asked about, or all that the spec names, and what limits are about besides."""
    curves = () if wanted is None else tuple(wanted.points)
    own = asked.of or [*goals_of(spec), *(name for name in spec.outcomes if name not in curves)]
    of_limits = [name.name for limit in limits for name in limit.names]
    others = [name for name in of_limits if name not in spec.parameters]
    return tuple(dict.fromkeys((*own, *others)))


def _models(
    run: RunSoFar, spec: Spec, space: Space, names: Sequence[str], asked: AskedSpread
) -> SpreadModels:
    problem, objective = build_problem(spec), spec.objective.name
    computed, wanted = None, build_wanted_outcomes(spec)
    of_them = set(names) & {objective, *(() if wanted is None else wanted.numbers)}
    if spec.objective.is_computed and (of_them or asked.posterior):
        assert wanted is not None, "it is computed from outcomes"
        computed = ComposedQuantities(objective, composed_model(run, spec, space), wanted.numbers)
        names = [name for name in names if name not in of_them]
    alone = {
        name: checked(
            problem_of_one(problem, first=name == objective),
            measured_of(run, space, name, trials_with(run, name)),
        )
        for name in names
    }
    return SpreadModels(problem, alone, computed)


def _results(run: RunSoFar) -> list[dict[str, float]]:
    """Of each result all that is a number."""
    told = trials_with(run, run.spec.objective.name)
    found = []
    for trial, value in told:
        each = {**trial.parameters, **trial.extras, run.spec.objective.name: value}
        numbers = {name: finite_number(one) for name, one in each.items()}
        found.append({name: one for name, one in numbers.items() if one is not None})
    return found
