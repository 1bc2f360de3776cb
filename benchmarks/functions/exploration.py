"""Functions to be learned all over: those of the measurement of sensitivity, and two of optimisation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.functions.sensitivity import MEASURABLE
from benchmarks.functions.shifted import shifted_copy, within_bounds
from evaluators.synthetic import synthetic
from orchestrator.arrays import FloatArray

Values = Callable[[FloatArray], FloatArray]
"""(n,) values at (n, D) points of the unit cube."""
EVALUATIONS = 80


@dataclass(frozen=True, eq=False)
class ExploredFunction:
    """Of ``dimension`` D. ``of_seed`` gives the one that a seed sees; ``evaluations`` are the budget."""

    dimension: int
    of_seed: Callable[[int], Values]
    evaluations: int = EVALUATIONS


def _shifted(name: str) -> ExploredFunction:
    """One of `evaluators.synthetic`, shifted otherwise for each seed."""

    def of_seed(seed: int) -> Values:
        function = shifted_copy(name, seed)
        return lambda points: function.evaluate(within_bounds(function, points))

    return ExploredFunction(synthetic(name).dimension, of_seed)


def _always(function: Values) -> Callable[[int], Values]:
    return lambda _: function


EXPLORED: Mapping[str, ExploredFunction] = {
    **{name: ExploredFunction(one.dimension, _always(one)) for name, one in MEASURABLE.items()},
    "hartmann-6": _shifted("hartmann-6"),
    "styblinski-tang-10": _shifted("styblinski-tang-10"),
}
