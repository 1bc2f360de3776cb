"""What is recommended of values that are or may be exact: the best tried, unless another is surely better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from orchestrator.algorithms.base import Noise, Prediction, Problem, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.recommended import SURELY, surely_better
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


def tells_its_best(problem: Problem) -> bool:
    """Whether the highest value told is that of the best point, but for its noise. What satisfied constraints
    on outcomes may have been lucky, and what is told may be of less than full fidelity.
    """
    varies = any(part is not None for part in (problem.clock, problem.in_use, problem.off, problem.fidelity))
    lucky = problem.outcome_constraints > 0 and not problem.noise.is_none
    return not (varies or lucky or problem.blocks or problem.further_objectives)


def best_tried_or(
    found: Suggestion,
    history: History,
    domain: Domain,
    noise: Noise,
    believed: Callable[[FloatArray], Prediction],
) -> Suggestion:
    """As `surely_better`. What is predicted of the best tried is its value, where that was measured and is
    known to have no ``noise``, and otherwise what is ``believed`` of its (D,) point.
    """
    recommended = surely_better(found, history, domain)
    if recommended is found or (noise.is_none and not history.foreseen[history.best_rows(1)[0]]):
        return recommended
    return replace(recommended, predicted=believed(recommended.point))


def foremost_or(
    found: Suggestion,
    row: int | None,
    history: History,
    domain: Domain,
    exact: float,
    believed: Callable[[FloatArray], Prediction],
) -> Suggestion:
    """Where a model takes for noise what may be none: the foremost result, by its number ``row``, unless what
    was ``found`` is surely better, as values may be ``exact``, which is a probability.
    """
    if row is None or found.predicted is None or not domain.feasible(history.points[row : row + 1])[0]:
        return found
    told = believed(history.points[row])
    worth = (1.0 - exact) * told.mean + exact * float(history.values[row])
    if found.predicted.mean - SURELY * found.predicted.deviation > worth:
        return found
    return Suggestion(history.points[row], told, {"source": "model"})
