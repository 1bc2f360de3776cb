"""Functions whose evaluations take longer in one place than in another, for comparisons. All are minimised.

Nothing is waited for: the seconds are numbers. They differ by a factor of `RANGE` from the quickest place to
the slowest.

Notation: D parameters, u the unit cube.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from benchmarks.functions.shifted import shifted_copy, within_bounds
from evaluators.synthetic.definition import SyntheticFunction
from evaluators.synthetic.registry import synthetic
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

Kind = Literal["anyhow", "good-slow", "good-quick"]
RANGE = 30.0
PLACES = 2000
EVALUATIONS = 30


@dataclass(frozen=True)
class Timed:
    """A ``function`` with durations of a ``kind``; the budget is what so many ``evaluations`` at places drawn
    uniformly take on average.
    """

    function: str
    kind: Kind
    evaluations: int = EVALUATIONS

    @property
    def dimension(self) -> int:
        """D."""
        return synthetic(self.function).dimension

    def of_seed(self, seed: int) -> TimedCopy:
        """The copy of a seed, shifted and permuted, with durations of its own."""
        return TimedCopy.of(self, seed)


@dataclass(frozen=True, eq=False)
class TimedCopy:
    """Of one seed. ``budget`` is in seconds."""

    function: SyntheticFunction
    seconds: Callable[[FloatArray, float], float]
    budget: float

    @classmethod
    @cache
    def of(cls, timed: Timed, seed: int) -> TimedCopy:
        """See `Timed.of_seed`."""
        function = shifted_copy(timed.function, seed)
        rng = stream(seed, "durations of a comparison")
        points = rng.random((PLACES, function.dimension))
        values = function.evaluate(within_bounds(function, points))
        seconds = _along_a_slope(function, rng) if timed.kind == "anyhow" else _by_rank(timed.kind, values)
        typical = np.mean([seconds(u, float(value)) for u, value in zip(points, values, strict=True)])
        return cls(function, seconds, timed.evaluations * float(typical))

    def regret_and_seconds(self, u: FloatArray) -> tuple[float, float]:
        """Of a (D,) point of the unit cube."""
        value = self.function.evaluate(within_bounds(self.function, u[None, :]))
        return float(self.function.regret(value)[0]), self.seconds(u, float(value[0]))


def _along_a_slope(
    function: SyntheticFunction, rng: np.random.Generator
) -> Callable[[FloatArray, float], float]:
    """Geometrically along a direction, whatever the value."""
    direction = rng.standard_normal(function.dimension)
    direction /= np.abs(direction).sum()
    return lambda u, _: float(RANGE ** (direction @ (u - 0.5)))


def _by_rank(kind: Kind, values: FloatArray) -> Callable[[FloatArray, float], float]:
    """Geometrically in the share of the domain that is better than a value."""
    ascending, sign = np.sort(values), -1.0 if kind == "good-quick" else 1.0
    return lambda _, value: float(RANGE ** (sign * (np.searchsorted(ascending, value) / len(values) - 0.5)))


FUNCTIONS: Mapping[Kind, tuple[str, ...]] = {
    "anyhow": ("camel", "hartmann-6", "ackley-5", "styblinski-tang-5", "rosenbrock-4"),
    "good-slow": ("hartmann-6", "ackley-5", "rosenbrock-4"),
    "good-quick": ("hartmann-6", "ackley-5"),
}
TIMED: Mapping[str, Timed] = {
    f"{function}-{kind}": Timed(function, kind) for kind, named in FUNCTIONS.items() for function in named
}
