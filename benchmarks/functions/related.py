"""Functions with the results of another experiment, which is like them or is not, for comparisons.

Notation: D parameters, N results of the other experiment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.functions.shifted import regret_at, shifted_copy, within_bounds
from evaluators.synthetic import synthetic
from evaluators.synthetic.definition import SyntheticFunction
from orchestrator.algorithms.base import RelatedResults
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

EVALUATIONS = 30
# Of the other experiment: some of its results were spread, and as many gathered about its best one.
SPREAD = 30
GATHERED_WITHIN = 0.1
SHIFT = 0.05
BENT = 0.5
PLACES = 2000

Values = Callable[[FloatArray], FloatArray]
"""(n,) values, the more the better, at (n, D) points of the unit cube."""


@dataclass(frozen=True)
class Related:
    """A synthetic ``function`` to be minimised, beside others that are more or less alike."""

    function: str
    evaluations: int = EVALUATIONS

    @property
    def dimension(self) -> int:
        """D."""
        return synthetic(self.function).dimension

    def of_seed(self, seed: int) -> RelatedCopy:
        """The copy of a seed, shifted and permuted."""
        return RelatedCopy(self.function, seed, shifted_copy(self.function, seed))


@dataclass(frozen=True, eq=False)
class RelatedCopy:
    """Of one seed."""

    name: str
    seed: int
    function: SyntheticFunction

    def results(self, alike: str) -> RelatedResults:
        """Those of another experiment that is so much `OTHERS`."""
        D = self.function.dimension
        rng = stream(self.seed, f"related experiment that is {alike}", D)
        other = OTHERS[alike](self.name, self.seed, rng)
        spread, places = rng.random((SPREAD, D)), rng.random((PLACES, D))
        best = places[np.argmax(other(places))]
        gathered = best + GATHERED_WITHIN * rng.standard_normal((SPREAD, D))
        points = np.clip(np.vstack([spread, gathered]), 0.0, 1.0)
        return RelatedResults(points, other(points))

    def regret(self, u: FloatArray) -> float:
        """How much more the function is at a (D,) point of the unit cube than its least value."""
        return regret_at(self.function, u)


def _own(name: str, seed: int) -> Values:
    function = shifted_copy(name, seed)
    return lambda u: -function.regret(function.evaluate(within_bounds(function, u)))


def _scaled(name: str, seed: int, rng: np.random.Generator) -> Values:
    own, scale, level = _own(name, seed), 10.0 ** rng.uniform(-1.0, 1.0), 100.0 * rng.standard_normal()
    return lambda u: scale * own(u) + level


def _shifted(name: str, seed: int, rng: np.random.Generator) -> Values:
    own, step = _scaled(name, seed, rng), SHIFT * rng.choice([-1.0, 1.0], synthetic(name).dimension)
    return lambda u: own(np.clip(u + step, 0.0, 1.0))


def _bent(name: str, seed: int, rng: np.random.Generator) -> Values:
    """With a slope of its own besides, which varies half as much."""
    own, D = _own(name, seed), synthetic(name).dimension
    slope = rng.standard_normal(D)
    deviations = [float(np.std(own(rng.random((PLACES, D))))), float(np.std(rng.random((PLACES, D)) @ slope))]
    return lambda u: own(u) + BENT * deviations[0] / deviations[1] * (u @ slope)


def _flipped(name: str, seed: int, rng: np.random.Generator) -> Values:
    own = _scaled(name, seed, rng)
    return lambda u: -own(u)


def _unrelated(name: str, seed: int, rng: np.random.Generator) -> Values:
    """The same function with its hills elsewhere."""
    del rng
    return _own(name, seed + 1000)


OTHERS: Mapping[str, Callable[[str, int, np.random.Generator], Values]] = {
    "scaled": _scaled,
    "shifted": _shifted,
    "bent": _bent,
    "flipped": _flipped,
    "unrelated": _unrelated,
}
RELATED: Mapping[str, Related] = {
    name: Related(name) for name in ("hartmann-6", "ackley-5", "camel", "rosenbrock-4")
}
