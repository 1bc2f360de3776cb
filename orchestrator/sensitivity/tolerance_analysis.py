"""How good the best points are where settings are a little off, by models of results.

Notation: D parameters, n results, f failures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.arrays import FloatArray
from orchestrator.expressions.constraints import Constraint
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.kept_models import KeptModels
from orchestrator.sensitivity.least_affected import LeastAffected, least_affected
from orchestrator.sensitivity.results_model import Measured, ResultsModel
from orchestrator.sensitivity.success import believed_success, failed_among
from orchestrator.sensitivity.tolerances import Tolerances
from orchestrator.sensitivity.tolerated import OutcomeModels, Tolerated


@dataclass(frozen=True, eq=False, slots=True)
class Evaluated:
    """n measured ``values``, of which the one of the row ``best`` is the best; by name what was measured of
    ``outcomes``; and the (f, D) points that ``failed``.
    """

    values: Measured
    outcomes: Mapping[str, Measured]
    failed: FloatArray
    best: int


@dataclass(frozen=True, eq=False, slots=True)
class ToleranceAnalysis:
    """What was ``found``; which of the n results is the best of those ``tried``; the models it rests on, of
    the ``value`` and of ``outcomes``, by name; and how many evaluations ``failed``.
    """

    found: LeastAffected
    tried: int
    value: ResultsModel
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
    looked at less closely than the best may be, or elsewhere than where parameters are held, is learned from,
    and is no answer; nor is what failed. The same results and seed give the same answer to the bit, by models
    that are ``kept``, too.
    """
    value = told.values
    kept = KeptModels() if kept is None else kept
    model = kept.fitted(problem_of_one(problem, first=True), value)
    known = OutcomeModels.fitted(problem, tolerances.space, constraints, told.outcomes, kept.checked)
    evaluated, failed = failed_among(problem, value, told.failed)
    tolerated = Tolerated(tolerances, model, known, value.sign, believed_success(problem, evaluated, failed))
    part = tolerances.sought(problem)
    sought = np.flatnonzero(part.contains(value.points) & ~failed[: len(value)])
    rng = stream(problem.seed, "tolerances", len(value))
    tried, at = value.points[sought], int(np.flatnonzero(sought == told.best)[0])
    found = least_affected(tolerated, part, tried, evaluated[failed], at, rng)
    return ToleranceAnalysis(found, int(sought[found.among_tried]), model, known.models, int(failed.sum()))


def named_outcomes(constraints: tuple[Constraint, ...], outcomes: tuple[str, ...]) -> list[str]:
    """Which outcomes constraints are about."""
    named = {name.name for constraint in constraints for name in constraint.names}
    return [outcome for outcome in outcomes if outcome in named]
