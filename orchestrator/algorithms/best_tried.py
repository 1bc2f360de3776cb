"""What is recommended of exact values, or nearly so: the best tried, unless another is surely better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from orchestrator.algorithms.base import Noise, Prediction, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.recommended import surely_better
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


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
