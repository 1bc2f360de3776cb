"""How conditions vary in use, in the unit cube: some of their points, with how often each comes up.

Notation: C conditions, m points, r values of what is listed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.rng import stream
from orchestrator.parameters.drawn_priors import drawn_together
from orchestrator.parameters.kinds import ChoiceParameter, Parameter
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse, halving_order
from orchestrator.values.distributions import AboutMean, ByChance, WithinFactor
from orchestrator.values.drawn import Drawn
from orchestrator.values.in_use import InUse, Recorded
from orchestrator.values.over import Over

if TYPE_CHECKING:
    from orchestrator.parameters.space import Space

OF_ONE, OF_SEVERAL = 32, 64
"""Points of one condition that takes any value, and of several together; as many are listed at most."""
PARTS = 1024
"""Into which what was recorded is divided, so that each is alike in itself."""
SAME_WEIGHTS = 1e-12

Varied: TypeAlias = InUse | WithinFactor | Drawn
"""How one parameter varies."""


@dataclass(frozen=True, eq=False, slots=True)
class VaryingApart:
    """Conditions that vary together, by their ``coordinates``, and apart from others. ``at`` gives (m, C)
    positions for (m,) numbers in [0, 1), as often as they come up in use; ``listed`` (r, C) positions with
    their (r,) weights, unless they may have any.
    """

    coordinates: tuple[int, ...]
    at: Callable[[FloatArray], FloatArray]
    listed: tuple[FloatArray, FloatArray] | None = None


def conditions_in_use(space: Space, over: Over, finer: int = 1) -> ConditionsInUse | None:
    """What algorithms are told of a space's conditions; None without any. ``finer``: by so many times as many
    points, where not all are listed.
    """
    if not space.in_use:
        return None
    apart = varying_apart(space, space.in_use)
    columns = [j for one in apart for j in one.coordinates]
    listed = [one.listed for one in apart if one.listed is not None]
    if len(listed) == len(apart) and math.prod(len(weights) for _, weights in listed) <= OF_SEVERAL:
        points, weights = _all_of(listed)
    else:
        uniform = _even_numbers(len(apart), finer * (OF_ONE if len(columns) == 1 else OF_SEVERAL))
        points = np.hstack([one.at(own) for one, own in zip(apart, uniform.T, strict=True)])
        weights = np.full(len(points), 1.0 / len(points))
    ascending = np.argsort(columns)
    points, weights = _merged(points[:, ascending], weights)
    return ConditionsInUse(tuple(sorted(columns)), points, weights, over)


def varying_apart(space: Space, varied: Mapping[str, Varied]) -> list[VaryingApart]:
    """How parameters of a space vary, by name: those that are recorded together, those of which draws are
    known, within all of their bounds, and each other by itself.
    """
    recorded = {name: one for name, one in varied.items() if isinstance(one, Recorded)}
    apart = [
        _alone(space.parameters[space.index(name)], space.index(name), one)
        for name, one in varied.items()
        if name not in recorded and not isinstance(one, Drawn)
    ]
    if recorded:
        numbers = tuple(map(space.index, recorded))
        told = zip(numbers, recorded.values(), strict=True)
        positions = np.array([[space.parameters[j].encode(value) for value in one.values] for j, one in told])
        rows = positions.T[_alike_together(positions.T)]
        apart.append(_of_listed(numbers, rows, np.full(len(rows), 1.0 / len(rows))))
    if (together := drawn_together(space, varied)) is not None:
        rows = together.positions[_alike_together(together.positions)]
        apart.append(_of_listed(together.numbers, rows, np.full(len(rows), 1.0 / len(rows))))
    return apart


def _alone(parameter: Parameter, coordinate: int, in_use: Varied) -> VaryingApart:
    places = np.array(parameter.coordinate.positions)
    if not len(places):
        return VaryingApart((coordinate,), partial(_positions, parameter, in_use))
    weights = np.full(len(places), 1.0 / len(places))
    if isinstance(in_use, ByChance):
        weights = np.array(in_use.chances)
    elif isinstance(in_use, AboutMean | WithinFactor):
        weights = _masses([float(parameter.decode(x)) for x in places.tolist()], in_use)
    return _of_listed((coordinate,), places[:, None], weights)


def _of_listed(coordinates: tuple[int, ...], positions: FloatArray, weights: FloatArray) -> VaryingApart:
    until = np.cumsum(weights)

    def at(uniform: FloatArray) -> FloatArray:
        rows = np.searchsorted(until, uniform * until[-1], side="right")
        return np.asarray(positions[np.minimum(rows, len(until) - 1)])

    return VaryingApart(coordinates, at, (positions, weights))


def _positions(parameter: Parameter, in_use: Varied, uniform: FloatArray) -> FloatArray:
    """(m, 1) of a parameter that is not listed."""
    if not isinstance(in_use, AboutMean | WithinFactor):
        return np.array([[parameter.encode(parameter.decode(u))] for u in uniform.tolist()])
    from scipy.special import ndtri  # takes longer to load than all else here

    low, high = _ends(parameter)
    below, until = in_use.until(low), in_use.until(high)
    quantiles = ndtri(below + uniform * (until - below))
    if isinstance(in_use, WithinFactor):
        numbers = in_use.mean * in_use.factor**quantiles
    else:
        numbers = in_use.mean + in_use.deviation * quantiles
    within = np.clip(numbers, low, high).tolist()
    return np.array([[parameter.encode(parameter.nearest(number))] for number in within])


def _ends(parameter: Parameter) -> tuple[float, float]:
    assert not isinstance(parameter, ChoiceParameter)
    if isinstance(parameter, OrderedParameter):
        return float(parameter.values[0]), float(parameter.values[-1])
    return float(parameter.low), float(parameter.high)


def _masses(numbers: Sequence[float], in_use: AboutMean | WithinFactor) -> FloatArray:
    """(r,) how often each of (r,) numbers is nearest to what comes up between the first and the last."""
    order = np.argsort(numbers)
    ascending = np.array(numbers)[order].tolist()
    ends = [ascending[0], *((a + b) / 2.0 for a, b in pairwise(ascending)), ascending[-1]]
    until = np.array([in_use.until(end) for end in ends])
    masses = np.empty(len(ascending))
    masses[order] = np.diff(until) / (until[-1] - until[0])
    return masses


def _all_of(listed: Sequence[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    """Every combination, and how often it comes up."""
    rows = list(product(*(range(len(weights)) for _, weights in listed)))
    points = [np.concatenate([own[i] for (own, _), i in zip(listed, row, strict=True)]) for row in rows]
    weights = [math.prod(float(own[i]) for (_, own), i in zip(listed, row, strict=True)) for row in rows]
    order = halving_order(len(rows))
    return np.array(points)[order], np.array(weights)[order]


def _even_numbers(dimension: int, count: int) -> FloatArray:
    """(count, dimension) that fill the cube evenly: in one dimension the middles of equal parts."""
    if dimension == 1:
        return ((halving_order(count) + 0.5) / count)[:, None]
    from scipy.stats import qmc  # takes longer to load than all else here

    engine = qmc.Sobol(dimension, seed=stream(0, "conditions in use", dimension))
    return np.asarray(engine.random(count))


def _alike_together(positions: FloatArray) -> IndexArray:
    """(r,) numbers of (r, C) rows in an order in which those that are alike follow one another, so that every
    so many-th of them stand for all: in that of a record they may all be of the same hour. They are halved
    again and again, by the coordinate in which they vary most.
    """
    smallest = max(1, len(positions) // PARTS)

    def ordered(rows: IndexArray) -> IndexArray:
        varies = positions[rows].std(axis=0)
        by = positions[rows, int(varies.argmax())]
        rows = rows[np.argsort(by, kind="stable")]
        if len(rows) <= smallest or not varies.any():
            return rows
        half = len(rows) // 2
        return np.concatenate([ordered(rows[:half]), ordered(rows[half:])])

    return ordered(np.arange(len(positions)))


def _merged(points: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Those that are the same as one, in the order in which they come first, without what never comes up."""
    _, first, which = np.unique(points, axis=0, return_index=True, return_inverse=True)
    together = np.bincount(which.ravel(), weights)
    order = np.argsort(first)
    order = order[together[order] > 0.0]
    found = together[order] / together[order].sum()
    alike = bool(np.ptp(found) < SAME_WEIGHTS)
    return points[first[order]], np.full(len(found), 1.0 / len(found)) if alike else found
