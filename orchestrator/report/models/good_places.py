"""Several good trials of a run that lie at different places, by a model of its results."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.arrays import FloatArray
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.objectives import SIGNS
from orchestrator.parameters.space import Space
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.composed_results import composed_model, is_of_outcomes
from orchestrator.report.models.measured_results import measured_of, trials_with
from orchestrator.report.seen.believed import believed
from orchestrator.report.words.good_places import HowTold
from orchestrator.report.words.without_best import why_no_best, words_and_what_to_do
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.trial import Trial
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.good_places import Landscape, Place, best_first, good_places
from orchestrator.sensitivity.held_out import checked
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.spec.build import build_problem, build_space
from orchestrator.system.blas_threads import one_thread


@dataclass(frozen=True, slots=True)
class GoodTrial:
    """The best ``trial`` of a place; what is ``expected`` of its settings, without noise; and ``between`` it
    and better places, where that is worst; None where nothing lies between.
    """

    trial: Trial
    expected: float
    between: float | None


@dataclass(frozen=True, eq=False, slots=True)
class RunPlaces:
    """What was ``found`` in a ``space``, the best first, by a ``model`` of the objective, and ``how`` that is
    told.
    """

    found: list[GoodTrial]
    space: Space
    model: ValueModel
    how: HowTold


def run_places(run: RunSoFar, count: int) -> RunPlaces:
    """At most so many. Takes as long as `run_predictions`.

    Raises UsageError for a run of several objectives, OrchestratorError where results are too few, or none is
    the best.
    """
    spec = amended(run.spec, run.state)
    if spec.further_objectives:
        raise UsageError(
            "expected a run of one objective for --places, got one of several: its trade-offs differ as they"
            " are, and `best` alone shows them"
        )
    if (why := why_no_best(run.state)) is not None:
        told = words_and_what_to_do(why, run.folder.path, held=run.folder.holder() is not None)
        raise OrchestratorError(f"expected a run with a best trial, got {run.folder.path}: {told}")
    space, problem, name = build_space(spec), build_problem(spec), spec.objective.name
    measured_trials = trials_with(run, name)
    measured = measured_of(run, space, name, measured_trials)
    likely = believed(run.state)
    as_believed = likely is not None or problem.blocks or problem.off is not None
    sign = SIGNS[spec.objective.goal]
    with one_thread():
        model: ValueModel = (
            composed_model(run, spec, space)
            if is_of_outcomes(spec, None)
            else checked(problem_of_one(problem, first=True), measured)
        )
        landscape = Landscape(model, sign, problem.off)
        expected = landscape.expected(measured.points)
        may = [row for row, (trial, _) in enumerate(measured_trials) if run.state.may_be_best(trial)]
        goodness = sign * (expected if as_believed else measured.values)
        best = run.state.found.best if likely is None else likely.trial
        first = next((row for row in may if measured_trials[row][0] is best), None)
        places = good_places(landscape, measured.points, best_first(may, goodness, first), count)
    found = [_good(run, measured_trials[place.row][0], expected, place) for place in places]
    choices, averages = bool(space.domain.is_categorical.any()), problem.off is not None
    how = HowTold(len(found), count, len(may), choices, as_believed, averages)
    return RunPlaces(found, space, model, how)


def _good(run: RunSoFar, trial: Trial, expected: FloatArray, place: Place) -> GoodTrial:
    return GoodTrial(trial_of(run.state, trial), float(expected[place.row]), place.between)
