"""By how much points of a run are believed to differ from one of them, by models of its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from orchestrator.errors import UsageError
from orchestrator.objectives import SIGNS
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.composed_predictions import composed_predictions
from orchestrator.report.models.composed_results import is_of_outcomes
from orchestrator.report.models.meant_points import BEST, REFERENCE, MeantPoint, meant
from orchestrator.report.models.predictions import AskedPoints, RunPredictions, run_predictions
from orchestrator.report.words.goals import goals_of
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.reference import reference_of
from orchestrator.sensitivity.analysis import FEWEST_RESULTS
from orchestrator.sensitivity.differences import Difference, differences
from orchestrator.spec.build import build_problem, build_space
from orchestrator.system.blas_threads import one_thread

_EXACT: Final = 1e-4
"""Deviations that are less, as a share of the difference, are of models that see no noise."""


@dataclass(frozen=True, eq=False, slots=True)
class RunDifferences:
    """What was ``found`` of each of the ``points``, by quantity: how it differs from the point that all are
    held ``against``. ``predictions`` are of the points and, last, of that one. ``signs`` of objectives, by
    name, are -1 where low values are good. ``averages``: of values over settings that are off, within the
    ``tolerances`` of the spec.
    """

    points: Sequence[MeantPoint]
    against: MeantPoint
    found: Sequence[Mapping[str, Difference]]
    predictions: RunPredictions
    signs: Mapping[str, float]
    averages: bool
    noise_told: bool
    """Whether the spec says anything of noise."""
    of_python: bool
    """Whether it is a search from Python, which takes no amendment."""

    def taken_for_exact(self, point: MeantPoint, one: Difference) -> bool:
        """Whether two trials are believed to differ by exactly what was measured, which nobody said."""
        both_tried = point.trial is not None and self.against.trial is not None
        return both_tried and not self.noise_told and one.deviation < _EXACT * abs(one.mean)


def run_differences(
    run: RunSoFar, points: Sequence[MeantPoint], against: MeantPoint, quantity: str | None = None
) -> RunDifferences:
    """Of the objective, of all further ones, and of outcomes that are constrained; or of another ``quantity``
    alone. Takes as long as `run_predictions`, and raises as that.
    """
    spec = amended(run.spec, run.state)
    space, problem = build_space(spec), build_problem(spec)
    asked = AskedPoints(space, tuple(spec.parameters), [point.settings for point in (*points, against)])
    of_outcomes = is_of_outcomes(spec, quantity)
    told = composed_predictions(run, asked) if of_outcomes else run_predictions(run, asked, quantity)
    there = space.encode(against.settings)
    with one_thread():
        found = [
            differences(told.models, space.encode(point.settings), there, problem.off) for point in points
        ]
    signs = {name: SIGNS[goal] for name, goal in goals_of(spec).items()}
    averages, noise_told = problem.off is not None, spec.objective.noise != "unknown"
    of_python = not isinstance(run.folder, RunFolder)
    return RunDifferences(points, against, found, told, signs, averages, noise_told, of_python)


def best_against_reference(run: RunSoFar) -> RunDifferences | None:
    """How the best point's objective differs from that of the reference; None where the spec names none, the
    reference lies where the run does not look any more, or results are too few yet to say. Takes as long as
    `run_predictions`. There must be a best point.
    """
    counted = sum(trial.value is not None and run.state.counts(trial) for trial in run.state.observed)
    if reference_of(run.state) is None or counted < FEWEST_RESULTS:
        return None
    try:
        points = [meant(run, BEST)], meant(run, REFERENCE)
    except UsageError:
        return None
    return run_differences(run, *points, run.spec.objective.name)
