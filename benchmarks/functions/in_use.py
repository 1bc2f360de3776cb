"""Functions of a design and of conditions that vary in use: sought is a design that is best over these.

All are maximised over the unit cube.

Notation: D parameters, C of them conditions, n points, k designs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.functions.of_conditions import FunctionOfConditions
from evaluators.synthetic.peaks import hartmann
from orchestrator.acquisition.over_conditions import over_conditions
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.values.over import Over

FINER = 8
"""By so many times as many conditions a design is judged as the search has."""
PLACES, KEPT, ROUNDS, STEPS = 2_000, 8, 30, 30
"""Designs among which the best one is looked for, and how often and how the best few are moved on."""


@dataclass(frozen=True)
class InUseFunction(FunctionOfConditions):
    """Judged by its designs over all conditions."""

    @cached_property
    def _finely(self) -> ConditionsInUse:
        found = conditions_in_use(self.space, self.over, FINER)
        assert found is not None
        return found

    def worth(self, designs: FloatArray) -> FloatArray:
        """(k,) what (k, D) designs are truly worth over the conditions."""
        values = self.value(self._finely.at(designs)).reshape(len(designs), -1)
        return over_conditions(values, self._finely.weights, self.over)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """What a design is worth on average, and at most, as far as is found."""
        rng = stream(0, f"in use: {self.about}")
        domain = self.in_use.designs(self.space.domain)
        designs = domain.sample(PLACES, rng)
        values = self.worth(designs)
        order = np.argsort(-values)[:KEPT]
        best, reached, step = designs[order], values[order], 0.1
        for _ in range(ROUNDS):
            moved = np.repeat(best, STEPS, axis=0)
            moved = domain.snap(moved + step * rng.standard_normal(moved.shape))
            found = self.worth(moved).reshape(len(best), STEPS)
            top = found.argmax(axis=1)
            better = found.max(axis=1) > reached
            best[better] = moved.reshape(len(best), STEPS, -1)[np.arange(len(best)), top][better]
            reached = np.maximum(reached, found.max(axis=1))
            step *= 0.8
        return float(values.mean()), float(reached.max())

    def missed(self, design: FloatArray) -> float:
        """What part of what the best design is above an average one a (D,) design misses: 0 for the best."""
        usual, most = self.ends
        return (most - float(self.worth(design[None, :])[0])) / (most - usual)


def _branin(x: FloatArray, y: FloatArray) -> FloatArray:
    u, v = 15.0 * x - 5.0, 15.0 * y
    inner = v - 5.1 * u**2 / (4.0 * math.pi**2) + 5.0 * u / math.pi - 6.0
    return np.asarray(inner**2 + 10.0 * (1.0 - 1.0 / (8.0 * math.pi)) * np.cos(u) + 10.0)


def _branin_williams(X: FloatArray) -> FloatArray:
    """Williams, Santner & Notz 2000: of x1 to x4, the conditions are x2 and x3; to be minimised."""
    # Ordered values lie where their numbers do, between the first and the last of them.
    x2, x3 = 0.25 + 0.5 * _share(X[:, 2], 3), 0.2 + 0.6 * _share(X[:, 3], 4)
    return -_branin(X[:, 0], x2) * _branin(x3, X[:, 1])


def _share(positions: FloatArray, count: int) -> FloatArray:
    """How far positions of ordered values are between the first and the last."""
    return np.asarray((positions * count - 0.5) / (count - 1))


def _ridge(X: FloatArray) -> FloatArray:
    """At the mean condition a narrow ridge is best, which moves away as soon as that changes; a broad one
    hardly moves.
    """
    x, y, c = X.T
    narrow = 1.4 * np.exp(-0.5 * ((x - 0.25 - 1.2 * (c - 0.5)) / 0.05) ** 2 - 0.5 * ((y - 0.7) / 0.2) ** 2)
    broad = np.exp(-0.5 * ((x - 0.75 - 0.2 * (c - 0.5)) / 0.12) ** 2 - 0.5 * ((y - 0.3) / 0.2) ** 2)
    return np.asarray(narrow + broad)


def _portfolio(X: FloatArray) -> FloatArray:
    """A share in a risky asset and how fast it is rebalanced, by what the market and the cost of a trade do:
    more of it is better on average, and worse when it matters.
    """
    share, pace, aside, market, spread = X.T
    drift = share * (0.9 * (market - 0.35) - 1.1 * share * np.square(market - 0.55))
    trading = 0.5 * pace * (0.4 - spread) - 0.4 * pace**2 * (0.4 + spread)
    reserve = 0.25 * aside * (1.0 - market) * (1.0 + share) - 0.12 * aside
    return np.asarray(drift + trading + reserve)


def _turbine(X: FloatArray) -> FloatArray:
    """What a rotor yields by its pitch, its twist and its speed, in a wind: one that yields most in the usual
    wind stalls in gusts.
    """
    pitch, twist, speed, wind = X.T
    angle = 1.8 * wind - 0.9 * pitch - 0.5 * speed + 0.3 * np.sin(4.0 * twist)
    lift = angle * np.exp(-np.square(angle / 0.55)) * 2.0
    return np.asarray(lift * (0.6 + wind) - 0.6 * np.square(speed - 0.55) - 0.3 * np.square(twist - 0.4))


_PLAIN = (0.0, 1.0)


def _normal(mean: float, deviation: float) -> dict[str, object]:
    return {"type": "float", "bounds": [0, 1], "in_use": {"mean": mean, "deviation": deviation}}


def _chances(values: list[float], chances: list[float]) -> dict[str, object]:
    return {"type": "ordered", "values": values, "in_use": {"chances": chances}}


IN_USE: Mapping[str, InUseFunction] = {
    "branin-williams": InUseFunction(
        {
            "x1": _PLAIN,
            "x4": _PLAIN,
            "x2": _chances([0.25, 0.5, 0.75], [0.25, 0.5, 0.25]),
            "x3": _chances([0.2, 0.4, 0.6, 0.8], [0.15, 0.35, 0.35, 0.15]),
        },
        _branin_williams,
        Over(),
        40,
        "that of Williams et al. 2000, on average",
    ),
    "hartmann": InUseFunction(
        {**{f"x{j}": _PLAIN for j in range(1, 5)}, "x5": _normal(0.4, 0.2), "x6": _normal(0.6, 0.2)},
        hartmann(6).evaluate,
        Over(),
        60,
        "Hartmann's of 6, two of them conditions, on average",
    ),
    "ridge": InUseFunction(
        {"x": _PLAIN, "y": _PLAIN, "c": _normal(0.5, 0.15)},
        _ridge,
        Over(),
        50,
        "the mean condition misleads, on average",
    ),
    "portfolio": InUseFunction(
        {
            "share": _PLAIN,
            "pace": _PLAIN,
            "aside": _PLAIN,
            "market": _normal(0.55, 0.2),
            "spread": {"type": "float", "bounds": [0, 1], "in_use": "evenly"},
        },
        _portfolio,
        Over(0.2),
        50,
        "the worst fifth of markets",
    ),
    "turbine": InUseFunction(
        {"pitch": _PLAIN, "twist": _PLAIN, "speed": _PLAIN, "wind": _normal(0.5, 0.18)},
        _turbine,
        Over(0.1),
        50,
        "the worst tenth of winds",
    ),
}
