"""What draws say of each parameter by itself, and of two together.

Notation: D coordinates, S draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

import numpy as np
from scipy.stats import rankdata

from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.calibration import Calibration
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.values.finite import is_number
from orchestrator.values.named import Values

SHARES = (0.025, 0.16, 0.5, 0.84, 0.975)
"""Below which the numbers lie that are told: the median, and the ends of the intervals of 68 and 95 %."""
NEXT_TO = 0.25
"""Of half the interval of 68 %: as far from a bound draws lie next to it."""
FEW_NEXT_TO = 0.02
"""Of the draws: of a normal belief that a bound cuts off at two deviations fewer lie next to it."""
STRONG = 0.7
"""Of a correlation."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Of a parameter's numbers: their ``median``; 68 % of the draws lie between ``low`` and ``high``, and
    95 % between ``least`` and ``most``.
    """

    least: float
    low: float
    median: float
    high: float
    most: float


@dataclass(frozen=True, slots=True)
class Marginal:
    """Of one parameter, by ``name``: its ``interval``, or, of values that are no numbers, the ``chances`` of
    each, by the value as text, likeliest first. ``counts``: how plausible it is that it counts at all, 1 of
    one that always does. ``bounds`` at which plausible values are cut off: `low`, `high`, both or neither.
    ``of_models``: the share of the interval of 68 % that would not be in it if outcomes were what models
    expect, and so comes of what these do not know; None where there is no interval.
    """

    name: str
    interval: Interval | None
    chances: Mapping[str, float] = field(default_factory=dict)
    counts: float = 1.0
    bounds: tuple[str, ...] = ()
    of_models: float | None = None


@dataclass(frozen=True, slots=True)
class Marginals:
    """Of all parameters of a ``space``, those that are computed from others last. ``draws`` are settings,
    each as likely as the others. ``correlations``, of ranks, between any two of ``numbers``: names of
    parameters that are chosen, always count, and have an interval.
    """

    draws: Sequence[Values]
    each: tuple[Marginal, ...]
    numbers: tuple[str, ...]
    correlations: FloatArray

    @property
    def strong(self) -> list[tuple[str, str, float]]:
        """Pairs that are plausible together only, the strongest first."""
        pairs = [
            (self.numbers[i], self.numbers[j], float(self.correlations[i, j]))
            for i in range(len(self.numbers))
            for j in range(i)
        ]
        return sorted((one for one in pairs if abs(one[2]) >= STRONG), key=lambda one: -abs(one[2]))


def marginals(space: Space, calibration: Calibration) -> Marginals:
    """Of what was drawn: takes some tenths of a second."""
    draws, of_means = _decoded(space, calibration.points), _decoded(space, calibration.of_means)
    names = [name for name in space.given_names if any(name in one for one in draws)]
    each = []
    for name in names:
        own, sure = ([one[name] for one in told if name in one] for told in (draws, of_means))
        counts = len(own) / len(draws)
        numbers = [value for value in own if _is_number(value)]
        if len(numbers) < len(own):
            each.append(Marginal(name, None, _chances(own), counts))
            continue
        narrowed = [value for value in sure if _is_number(value)]
        interval = interval_of(numbers)
        bounds: tuple[str, ...] = ()
        if name in space.names:
            j = space.index(name)
            active = space.domain.active(calibration.points)[:, j]
            bounds = _cut_off(calibration.points[active, j], space.domain.coordinates[j])
        each.append(Marginal(name, interval, {}, counts, bounds, _of_models(interval, narrowed)))
    chosen = tuple(one.name for one in each if one.interval and one.counts == 1.0 and one.name in space.names)
    return Marginals(draws, tuple(each), chosen, _correlations(draws, chosen))


def _decoded(space: Space, points: FloatArray) -> list[Values]:
    names = set(space.given_names)
    return [{name: told for name, told in space.decode(one).items() if name in names} for one in points]


def interval_of(told: Sequence[float] | FloatArray) -> Interval:
    """Of numbers that were drawn."""
    # Numbers that were drawn, and none between: of whole ones they are whole.
    return Interval(*np.quantile(told, SHARES, method="inverted_cdf").tolist())


def _chances(told: Sequence[object]) -> dict[str, float]:
    texts, counts = np.unique([str(value) for value in told], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return {str(texts[i]): float(counts[i] / len(told)) for i in order}


def _of_models(interval: Interval, sure: Sequence[float]) -> float | None:
    """Of an interval, by draws as if models were sure."""
    width = interval.high - interval.low
    if not (sure and width > 0.0):
        return None
    own = interval_of(sure)
    in_both = min(own.high, interval.high) - max(own.low, interval.low)
    return float(np.clip(1.0 - in_both / width, 0.0, 1.0))


def _is_number(value: object) -> TypeGuard[float]:
    return is_number(value)


def _cut_off(positions: FloatArray, coordinate: Coordinate) -> tuple[str, ...]:
    """By (S,) positions: at which ends of its range more lie than of a belief that falls off before it."""
    low, high = np.quantile(positions, (SHARES[1], SHARES[3]))
    ends = coordinate.grid[[0, -1]] if coordinate.positions else np.array([0.0, 1.0])
    near = NEXT_TO * (high - low) / 2.0
    at = {"low": positions <= ends[0] + near, "high": positions >= ends[1] - near}
    return tuple(name for name, lies in at.items() if lies.mean() > FEW_NEXT_TO)


def _correlations(draws: Sequence[Values], names: Sequence[str]) -> FloatArray:
    """(d, d) of the ranks of so many parameters; 0 of one that has one value."""
    if not names:
        return np.zeros((0, 0))
    ranks = np.array([rankdata([one[name] for one in draws]) for name in names])
    apart = ranks - ranks.mean(axis=1, keepdims=True)
    sizes = np.sqrt(np.square(apart).sum(axis=1))
    apart /= np.where(sizes > 0.0, sizes, 1.0)[:, None]
    return np.asarray(np.clip(apart @ apart.T, -1.0, 1.0))
