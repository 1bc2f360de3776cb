"""What models of a run's results expect at points that a person asks about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from orchestrator.errors import SpecError, UsageError
from orchestrator.numerics.rng import stream
from orchestrator.parameters.space import Space
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.measured_results import measured_of, points_of_failures, trials_with
from orchestrator.report.models.reference_place import reference_place
from orchestrator.report.seen.best_now import best_now
from orchestrator.report.words.goals import threshold_words, units_of
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.rules.places import Places
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.words.trial_names import trial_name
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.held_out import checked
from orchestrator.sensitivity.prediction import Predictions, predict
from orchestrator.sensitivity.success import believed_success, failed_among
from orchestrator.sensitivity.tolerated import OutcomeModels
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.spec.begun.asked_points import (
    IS_MISSING,
    columns_of,
    points_in_file,
    typed_point,
)
from orchestrator.spec.build import build_problem, build_space, build_wanted_outcomes
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import as_always
from orchestrator.spec.sections.parameters import in_use_among
from orchestrator.system.blas_threads import one_thread
from orchestrator.values.named import Values, in_order
from orchestrator.values.typed_pairs import name_and_value

NOTHING_TO_TAKE = "expected settings NAME=VALUE, as there is no best trial to take them from, got none"
NAME_ONE = ": `--from 12` takes what is left out from that trial"


@dataclass(frozen=True, slots=True)
class AskedPoints:
    """Points of the ``space`` of a run, each with the parameters that count there; ``names`` are those of all
    parameters, in the order of the spec. What is ``left_out`` is as in the trial that they are to be
    ``like``, else as in the ``best`` one, or without one as in the point believed best now. ``remarks``: what
    is to be said of how they were told. ``varying``: of designs, the parameters that vary in use, none of
    which was told.
    """

    space: Space
    names: tuple[str, ...]
    points: Sequence[Values]
    left_out: tuple[str, ...] = ()
    best: Trial | None = None
    remarks: tuple[str, ...] = ()
    varying: tuple[str, ...] = ()
    like: Trial | None = None

    @property
    def shown(self) -> list[Values]:
        """The points, without what varies in use where they are designs alone."""
        shown = [name for name in self.names if name not in self.varying]
        return [in_order(shown, one) for one in self.points]


@dataclass(frozen=True, eq=False, slots=True)
class RunPredictions:
    """What was ``found`` at points ``asked`` about: of a ``quantity`` and, where there are any, of further
    objectives and outcomes that are constrained. ``models`` are of all of them, by name; ``constrained``:
    whether there is anything to be satisfied; ``failed``: how many of all ``tried`` failed, where it is asked
    whether evaluations succeed. ``units``: of objectives, by name. ``over``: what of all that varies in use a
    design is worth, in words. ``threshold``: what values may be above, in words, where that is sought.
    ``places``: of curves, where their points are, as far as that is told.
    """

    asked: AskedPoints
    quantity: str
    found: Predictions
    models: Mapping[str, ValueModel]
    constrained: bool
    failed: int
    tried: int
    units: Mapping[str, str]
    over: str = ""
    threshold: str = ""
    places: Mapping[str, Sequence[float]] = field(default_factory=dict)


def points_typed(
    run: RunSoFar, settings: Sequence[str], quantity: str | None = None, like: Trial | None = None
) -> AskedPoints:
    """One point, of settings ``x=0.3`` each, for what is expected of the objective, or of another
    ``quantity``. What is left out is as held now, at full fidelity, else as in the trial that it is to be
    ``like``, without one as in the best, or by a clock as in the point believed best now; of the objective,
    all that varies in use may be. Raises SpecError for what is wrong, and for what is left out where there is
    none of these, and UsageError where all of it is.
    """
    spec, best = amended(run.spec, run.state), run.state.found.best
    space, always = build_space(spec), always_and_now(run, spec)
    told = {name_and_value(text, spec.parameters)[0] for text in settings}
    there = left_out_as(run, space) if like is None else _as_in(space, like, {*told, *always})
    if not there and not settings:
        raise UsageError(f"{NOTHING_TO_TAKE}{NAME_ONE}")
    beside = {**usual_in_use(spec), **there, **always}
    try:
        point = space.counted(typed_point(spec, settings, beside))
    except SpecError as error:
        if there or IS_MISSING not in str(error):
            raise
        raise SpecError(f"{error}\nthere is no best trial to take it from{NAME_ONE}") from None
    varying = varying_over(run, told, quantity)
    left_out = left_out_of(space, point, {*told, *always, *varying})
    best_trial = None if best is None else trial_of(run.state, best)
    names = tuple(spec.parameters)
    return AskedPoints(space, names, [point], left_out, best_trial, varying=varying, like=like)


def varying_over(run: RunSoFar, told: Collection[str], quantity: str | None) -> tuple[str, ...]:
    """What varies in use, where none of it was ``told``: it is asked what a design alone is worth. Nothing of
    another ``quantity``, which nobody looks for the best of, nor where each condition has its own best.
    """
    of_designs = quantity in (None, run.spec.objective.name) and not run.state.policy.sought.for_each
    varying = run.state.policy.sought.in_use if of_designs else ()
    return varying if set(told).isdisjoint(varying) else ()


def left_out_of(space: Space, point: Values, told: Collection[str]) -> tuple[str, ...]:
    """What counts at a point and was not ``told``, what goes with a row of candidates among it: who names a
    row has told its columns, and who tells of its columns has told what goes with it.
    """
    listed = space.candidates
    if listed is None:
        return tuple(name for name in space.names if name in point and name not in told)
    said = set(told)
    if not said.isdisjoint(listed.given):
        said.update(listed.names)
    if not said.isdisjoint(listed.names):
        said.update(listed.given)
    return tuple(name for name in (*space.names, *listed.given) if name in point and name not in said)


def left_out_as(run: RunSoFar, space: Space) -> Values:
    """The settings that count in the best trial or, without one, in the point believed best now; none, where
    there is neither.
    """
    best, believed = run.state.found.best, best_now(run.state)
    there = best.parameters if best is not None else {} if believed is None else believed.whole
    return _without_its_row(space, there) if there else {}


def _as_in(space: Space, trial: Trial, told: Collection[str]) -> Values:
    """The settings that count in a trial. Of these what is ``told`` may lie outside the bounds by now; where
    others do, UsageError is raised.
    """
    mistakes = space.mistakes(space.nearest(trial.parameters))
    for name, mistake in mistakes.items():
        if name not in told:
            raise UsageError(
                f"expected a point where this run looks now, got {trial_name(trial.number)}: {mistake}; say"
                f" another, as {name}=…, or `amend --bounds` widens that"
            )
    settings = {name: value for name, value in trial.parameters.items() if name not in mistakes}
    return _without_its_row(space, settings, counts=not mistakes)


def _without_its_row(space: Space, there: Values, *, counts: bool = True) -> Values:
    """The settings that count there, or all. What goes with one row of candidates goes with no other."""
    with_row = () if space.candidates is None else space.candidates.given
    counted = space.counted(there) if counts else there
    return {name: value for name, value in counted.items() if name not in with_row}


def usual_in_use(spec: Spec) -> Values:
    """Where what varies in use mostly is; nothing where nothing does."""
    problem = build_problem(spec) if in_use_among(spec.parameters) else None
    if problem is None or problem.in_use is None:
        return {}
    middle = problem.in_use.as_designs(np.full((1, problem.domain.dimension), 0.5))[0]
    space = build_space(spec)
    decoded = space.decode(middle)
    return {name: decoded[name] for name in space.in_use}


def always_and_now(run: RunSoFar, spec: Spec) -> Values:
    """What settings have that nobody chooses: full fidelity, where parameters are held now, and the time."""
    return {**as_always(spec), **_places_now(run)}


def _places_now(run: RunSoFar) -> Places:
    """Where parameters are held, the time among them: in a run that somebody works on, that of the moment."""
    state = run.state
    now = run.now(run.folder.holder() is not None) if state.policy.where.clock is not None else state.at
    return {**state.policy.where.held, **state.shown_by_clock(now)}


def points_read(run: RunSoFar, file: Path, quantity: str | None = None) -> AskedPoints:
    """Those of a CSV file, which need not say what is held now, nor full fidelity, nor, of the objective,
    anything that varies in use. Raises SpecError.
    """
    spec = amended(run.spec, run.state)
    space = build_space(spec)
    columns = columns_of(spec, file)
    varying = varying_over(run, columns, quantity)
    always = always_and_now(run, spec)
    beside = {**usual_in_use(spec), **always} if varying else always
    points, remarks = points_in_file(spec, file, beside)
    counted = [space.counted(one) for one in points]
    names = tuple(spec.parameters)
    return AskedPoints(space, names, counted, remarks=tuple(remarks), varying=varying)


def run_predictions(run: RunSoFar, asked: AskedPoints, quantity: str | None = None) -> RunPredictions:
    """Of the objective, of all further ones, and of outcomes that are constrained; or of another ``quantity``
    alone. Takes some seconds, and more where there are many results.

    Raises UsageError for a quantity that no evaluation returned, OrchestratorError where results are too few.
    """
    spec = amended(run.spec, run.state)
    name = spec.objective.name if quantity is None else quantity
    space, problem = asked.space, build_problem(spec)
    measured = measured_of(run, space, name, trials_with(run, name))
    wanted = None if quantity is not None else build_wanted_outcomes(spec)
    constraints, outcomes = ((), ()) if wanted is None else (wanted.settled, wanted.outcomes)
    told = {
        outcome: measured_of(run, space, outcome, trials_with(run, outcome))
        for outcome in outcomes
        if wanted is not None and wanted.names(outcome)
    }
    tried, failed = failed_among(problem, measured, points_of_failures(run, space))
    with one_thread():
        model = checked(problem_of_one(problem, first=name == spec.objective.name), measured)
        own = "" if wanted is None else wanted.own
        beside = OutcomeModels.fitted(problem, space, constraints, told, checked, own)
        rng = stream(problem.seed, "predictions", len(measured))
        success = None if quantity is not None else believed_success(problem, tried, failed)
        threshold = None if quantity is not None else problem.threshold
        relative = beside.relative_to(reference_place(run, space))
        found = predict(model, relative, asked.points, rng, success, threshold)
    constrained = quantity is None and bool(constraints or space.required)
    models = {name: model, **beside.models}
    failures = 0 if quantity is not None else int(failed.sum())
    units, bound = units_of(spec), "" if threshold is None else threshold_words(spec)
    chances = (constrained, failures, len(tried))
    return RunPredictions(asked, name, found, models, *chances, units, threshold=bound)
