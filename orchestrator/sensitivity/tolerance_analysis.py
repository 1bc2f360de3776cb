"""How good the best points are where settings are a little off, by models of results.

Notation: D parameters, n results, f failures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.expressions.constraints import Constraint
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.kept_models import KeptModels
from orchestrator.sensitivity.least_affected import LeastAffected, least_affected
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.success import believed_success, failed_among
from orchestrator.sensitivity.tolerances import Tolerances
from orchestrator.sensitivity.tolerated import OutcomeModels, Tolerated
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False, slots=True)
class Evaluated:
    """n measured ``values``, of which the one of the row ``best`` is the best, or None where values drift
    with the time, so that none is; by name what was measured of ``outcomes``; and the (f, D) points that
    ``failed``. ``model``: of the values, where they are computed from outcomes.
    """

    values: Measured
    outcomes: Mapping[str, Measured]
    failed: FloatArray
    best: int | None
    model: ValueModel | None = None


@dataclass(frozen=True, eq=False, slots=True)
class ToleranceAnalysis:
    """What was ``found``; which of the n results is the ``best`` as set, and which the best of those
    ``tried``; the models it rests on, of the ``value`` and of ``outcomes``, by name; and how many evaluations
    ``failed``.
    """

    found: LeastAffected
    best: int
    tried: int
    value: ValueModel
    outcomes: Mapping[str, ResultsModel]
    failed: int


def analyse_tolerances(
    problem: Problem,
    tolerances: Tolerances,
    constraints: tuple[Constraint, ...],
    told: Evaluated,
    kept: KeptModels | None = None,
) -> ToleranceAnalysis:
    """By what was ``told`` of evaluations, outcomes being those that ``constraints`` are about. What was
    looked at less closely than the best may be, elsewhere than where parameters are held, or where
    constraints between parameters do not hold, is learned from, and is no answer; nor is what failed. By a
    clock, what was tried is taken as it would be now. The same results and seed give the same answer to the
    bit, by models that are ``kept``, too.
    """
    value = told.values
    kept = KeptModels() if kept is None else kept
    model = told.model
    if model is None:
        model = kept.fitted(problem_of_one(problem, first=True), value)
    known = OutcomeModels.fitted(problem, tolerances.space, constraints, told.outcomes, kept.checked)
    evaluated, failed = failed_among(problem, value, told.failed)
    tolerated = Tolerated(tolerances, model, known, value.sign, believed_success(problem, evaluated, failed))
    part = tolerances.sought(problem)
    points = _as_of_now(value.points, problem, part)
    may_be = part.contains(points) & ~failed[: len(value)]
    sought = np.flatnonzero(_within(may_be, part.feasible(points), told.best))
    rng = stream(problem.seed, "tolerances", len(value))
    at = None if told.best is None else int(np.flatnonzero(sought == told.best)[0])
    found = least_affected(tolerated, part, points[sought], evaluated[failed], at, rng)
    best, among = int(sought[found.best]), int(sought[found.among_tried])
    return ToleranceAnalysis(found, best, among, model, known.models, int(failed.sum()))


def _within(may_be: BoolArray, feasible: BoolArray, best: int | None) -> BoolArray:
    """Which of n results are answers: known ones may break constraints between parameters, and are none."""
    within = may_be & feasible
    if best is not None:
        within[best] = True
    return within if within.any() else may_be


def _as_of_now(points: FloatArray, problem: Problem, part: Domain) -> FloatArray:
    """(n, D) points at the time of a part of the domain in which the clock is held, if there is one."""
    if problem.clock is None:
        return points
    moved = points.copy()
    moved[:, problem.clock] = part.coordinates[problem.clock].positions[0]
    return moved


def named_outcomes(constraints: tuple[Constraint, ...], outcomes: tuple[str, ...]) -> list[str]:
    """Which outcomes constraints are about."""
    named = {name.name for constraint in constraints for name in constraint.names}
    return [outcome for outcome in outcomes if outcome in named]
