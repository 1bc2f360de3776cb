"""Functions whose least value moves, or whose values rise, while a run goes on, for comparisons.

Nothing is waited for: the time is a number from 0, when a run begins, to 1, when it ends.

Notation: D parameters, u the unit cube, t the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks.functions.shifted import within_bounds
from evaluators.synthetic.definition import SyntheticFunction
from evaluators.synthetic.registry import synthetic
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

MIDDLE = (0.3, 0.7)
"""Halfway through a run the least value lies somewhere in this part of every parameter's range."""
PLACES = 500
EVALUATIONS = 40


@dataclass(frozen=True)
class Drifting:
    """A ``function`` whose least value travels ``moved`` through the unit cube on a straight line, 0.6 at
    most, as beyond that it might leave the range; its values rise, wherever they are, by so many standard
    deviations (``risen``).
    """

    function: str
    moved: float
    risen: float = 0.0
    evaluations: int = EVALUATIONS

    @property
    def dimension(self) -> int:
        """D."""
        return synthetic(self.function).dimension

    def of_seed(self, seed: int) -> DriftingCopy:
        """The copy of a seed, which moves on a line of its own."""
        return DriftingCopy.of(self, seed)


@dataclass(frozen=True, eq=False)
class DriftingCopy:
    """Of one seed. ``begins`` and ``ends`` are (D,) where the least value is at both times."""

    function: SyntheticFunction
    begins: FloatArray
    ends: FloatArray
    rise: float

    @classmethod
    @cache
    def of(cls, drifting: Drifting, seed: int) -> DriftingCopy:
        """See `Drifting.of_seed`."""
        function = synthetic(drifting.function)
        rng = stream(seed, "drift of a comparison", function.dimension)
        middle = rng.uniform(*MIDDLE, function.dimension)
        direction = rng.standard_normal(function.dimension)
        half = 0.5 * drifting.moved * direction / np.linalg.norm(direction)
        places = rng.random((PLACES, function.dimension))
        values = function.evaluate(within_bounds(function, places))
        return cls(function, middle - half, middle + half, drifting.risen * float(np.std(values)))

    def regret_and_value(self, u: FloatArray, t: float) -> tuple[float, float]:
        """Of a (D,) point of the unit cube at a time: how much more than the least there is then, and what is
        measured.
        """
        lower, upper = self.function.bounds.T
        least = self.function.optimum.points[0]
        place = least + (u - self.begins - t * (self.ends - self.begins)) * (upper - lower)
        value = self.function.evaluate(place[None, :])
        regret = float(self.function.regret(value)[0])
        return regret, regret + t * self.rise


FUNCTIONS = ("camel", "hartmann-3")
MOTIONS: Mapping[str, tuple[float, float]] = {
    "still": (0.0, 0.0),
    "slow": (0.1, 0.0),
    "quick": (0.3, 0.0),
    "racing": (0.6, 0.0),
    "rising": (0.0, 2.0),
}
DRIFTING: Mapping[str, Drifting] = {
    f"{function}-{motion}": Drifting(function, moved, risen)
    for function in FUNCTIONS
    for motion, (moved, risen) in MOTIONS.items()
}
