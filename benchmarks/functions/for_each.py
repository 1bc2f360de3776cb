"""Functions of settings and of conditions, of which each has best settings of its own.

All are maximised over the unit cube; each seed moves the settings.

Notation: D parameters, C of them conditions, n points, c judged conditions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.functions.of_conditions import FunctionOfConditions
from evaluators.synthetic.peaks import hartmann
from orchestrator.algorithms.for_each.grounds import Grounds
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.values.over import Over

FINER, JUDGED = 2, 16
"""Recommendations are judged in so many conditions, of so many times as many as a search knows."""
DESIGNS, CLIMBS = 1_000, 12
"""Settings among which the best ones are looked for, and how often these are moved on."""
MOVED = 0.1
"""By at most so much of its range is each continuous setting moved."""


@dataclass(frozen=True)
class ForEachFunction(FunctionOfConditions):
    """Judged by the settings for each condition."""

    def under(self, seed: int) -> Judge:
        """As a seed moves it."""
        rng = stream(seed, f"for each: {self.about}")
        free = self.space.domain.is_continuous.copy()
        free[list(self.in_use.coordinates)] = False
        return Judge(self, np.where(free, rng.uniform(-MOVED, MOVED, self.dimension), 0.0))


@dataclass(frozen=True)
class Judge:
    """A ``function`` whose settings are ``moved`` (D,)."""

    function: ForEachFunction
    moved: FloatArray

    def value(self, points: FloatArray) -> FloatArray:
        """(n,) at (n, D) points, without noise."""
        return self.function.value(points + self.moved)

    @cached_property
    def in_use(self) -> ConditionsInUse:
        """The (c, C) conditions in which is judged, with their weights."""
        found = conditions_in_use(self.function.space, _EACH, FINER)
        assert found is not None
        weights = found.weights[:JUDGED]
        return ConditionsInUse(found.coordinates, found.points[:JUDGED], weights / weights.sum(), found.over)

    @cached_property
    def ends(self) -> tuple[FloatArray, FloatArray]:
        """(c,) in each condition the value of average settings, and of the best ones that are found."""
        rng = stream(0, f"for each, judged: {self.function.about}")
        grounds = Grounds(self.function.space.domain, self.in_use)
        designs = grounds.domain.sample(DESIGNS, rng)
        usual = self.value(grounds.points(designs).reshape(-1, self.function.dimension))
        most = np.full(len(self.in_use.points), -np.inf)
        for _ in range(CLIMBS):
            best, found = grounds.best(self.value, designs, rng)
            most, designs = np.maximum(most, found), np.vstack([best, designs])
        return usual.reshape(DESIGNS, -1).mean(axis=0), most

    def missed(self, recommended: FloatArray) -> float:
        """What part of what the best settings are above average ones (c, D) points miss, one in each of the
        judged conditions, on average over these: 0 for the best.
        """
        _, most = self.ends
        return float(self.in_use.weights @ (most - self.value(recommended))) / self.span

    @property
    def span(self) -> float:
        """By how much the best settings are above average ones, on average over the judged conditions."""
        usual, most = self.ends
        return float(self.in_use.weights @ (most - usual))


def _branin(X: FloatArray) -> FloatArray:
    u, v = 15.0 * X[:, 0] - 5.0, 15.0 * X[:, 1]
    inner = v - 5.1 * u**2 / (4.0 * math.pi**2) + 5.0 * u / math.pi - 6.0
    return np.asarray(-(inner**2 + 10.0 * (1.0 - 1.0 / (8.0 * math.pi)) * np.cos(u) + 10.0))


def _bend(X: FloatArray) -> FloatArray:
    """The best settings follow a curve, and beside it there is a broad hill that stays where it is."""
    x, y, load = X.T
    along = np.square((x - 0.2 - 0.6 * load**2) / 0.15) + np.square(
        (y - 0.5 - 0.3 * np.sin(5.0 * load)) / 0.2
    )
    broad = np.square((x - 0.7) / 0.4) + np.square((y - 0.4) / 0.4)
    return np.asarray(np.exp(-0.5 * along) + 0.6 * np.exp(-0.5 * broad) * (1.2 - load))


def _controller(X: FloatArray) -> FloatArray:
    """The gains of a controller by the load: it is to be quick, and not to swing; the logarithm of its cost,
    negative.
    """
    proportional, derivative, mass = 0.2 + 2.0 * X[:, 0], 0.05 + 1.5 * X[:, 1], 0.3 + 1.7 * X[:, 2]
    swings = np.square(derivative - 1.4 * np.sqrt(proportional * mass)) / mass
    slow = mass / proportional
    effort = 0.25 * proportional**2 + 0.1 * derivative**2
    return np.asarray(-np.log(0.05 + 0.6 * swings + 0.4 * slow + effort))


def _solver(X: FloatArray) -> FloatArray:
    """The options of a solver by the size of a problem: which method is best, how many blocks and how much
    relaxation hang on it; the logarithm of its seconds, negative.
    """
    # Values of a choice lie at the middles of equal parts.
    method = np.clip((X[:, 0] * 3).astype(int), 0, 2)
    blocks, relaxed, size = X[:, 1], X[:, 2], X[:, 3]
    at = np.array([0.8, 2.6, 1.6])[method] * (size - np.array([0.1, 0.9, 0.5])[method]) ** 2
    apart = np.square(blocks - (0.15 + 0.7 * size)) * np.array([1.0, 2.5, 1.5])[method]
    relax = np.square(relaxed - (0.75 - 0.5 * size * np.array([0.2, 1.0, 0.6])[method]))
    return np.asarray(-(at + apart + 2.0 * relax))


_PLAIN = (0.0, 1.0)
_EACH = Over(each=True)
_EVENLY = {"type": "float", "bounds": [0, 1], "in_use": "evenly"}


def _normal(mean: float, deviation: float) -> dict[str, object]:
    return {"type": "float", "bounds": [0, 1], "in_use": {"mean": mean, "deviation": deviation}}


FOR_EACH: Mapping[str, ForEachFunction] = {
    "branin": ForEachFunction(
        {"x": _PLAIN, "y": _EVENLY},
        _branin,
        _EACH,
        24,
        "Branin's, the best x for each y (Ginsbourger et al. 2014)",
    ),
    "bend": ForEachFunction(
        {"x": _PLAIN, "y": _PLAIN, "load": _EVENLY},
        _bend,
        _EACH,
        50,
        "settings that follow a curve, by a broad hill",
    ),
    "controller": ForEachFunction(
        {"proportional": _PLAIN, "derivative": _PLAIN, "load": _EVENLY},
        _controller,
        _EACH,
        40,
        "two gains for each load, with noise",
        noise=0.1,
    ),
    "solver": ForEachFunction(
        {
            "method": {"type": "choice", "values": ["direct", "multigrid", "krylov"]},
            "blocks": {"type": "int", "bounds": [1, 32]},
            "relaxed": _PLAIN,
            "size": {
                "type": "ordered",
                "values": [100, 300, 1000, 3000, 10000, 30000],
                "scale": "log",
                "in_use": {"chances": [0.3, 0.2, 0.2, 0.1, 0.1, 0.1]},
            },
        },
        _solver,
        _EACH,
        60,
        "a method, blocks and relaxation for each of six sizes",
    ),
    "hartmann": ForEachFunction(
        {**{f"x{j}": _PLAIN for j in range(1, 5)}, "x5": _normal(0.4, 0.2), "x6": _normal(0.6, 0.2)},
        hartmann(6).evaluate,
        _EACH,
        60,
        "Hartmann's of 6, the best four for each two",
    ),
}
