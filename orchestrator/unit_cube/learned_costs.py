"""What evaluations cost by how closely they look, learned from the seconds that they took.

The logarithm of seconds is a line over that of the costs that were granted before any was known, as steep as
these are unless evaluations say otherwise: a mesh of cells may cost their square. What levels lie off it by
is learned as well, is drawn to the line and much the same of levels that cost much the same. Each worker may
be quicker than others throughout. How durations differ else, as from place to place, is noise, whose tails
are so heavy that a machine which slept meanwhile is no evidence.

Notation: L levels, n evaluations, W workers, x the logarithm of the costs that were granted, K = 2 + L + W
coefficients.
Source: regression under Student's noise by expectation and maximisation (Lange, Little & Taylor 1989).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.growing_rows import GrowingRows
from orchestrator.unit_cube.fidelity_levels import Levels

# What solves is imported where it is needed: whoever reads a spec imports this, and nothing that is slow.

# The last so many evaluations are learned from: machines change.
MOST = 500
# Nothing costs less: handing an evaluation out takes time as well.
LEAST_COST = 1e-3
# Deviations of logarithms before anything is known: of the line's height, of its slope about 1, of a level
# off the line, and of a worker.
HEIGHT, SLOPE, OFF_THE_LINE, WORKER = 10.0, 1.0, 0.5, 1.0
# How far levels that lie off it together are apart, as a part of what all span.
SPAN_ALIKE = 0.3
# Of an evaluation, and after how many it counts for no more than they do.
SPREAD, SPREAD_KNOWN_AS_OF = 0.3, 3.0
# Student's, of which the tails have so many degrees of freedom.
DEGREES, ROUNDS = 3.0, 20


@dataclass(frozen=True, eq=False, slots=True)
class Learned:
    """What is believed: the (L,) ``costs``, and the ``seconds`` that an evaluation at full fidelity takes."""

    costs: FloatArray
    seconds: float


class LearnedCosts:
    """Of ``levels``, whose own costs are granted until more is known. Grows in place.

    Attributes:
        counted: what trials that were told counted for together, as was believed when they were asked for.
    """

    def __init__(self, levels: Levels) -> None:
        self._granted = levels
        self._positions, self._seconds = GrowingRows(np.float64), GrowingRows(np.float64)
        self._workers: list[str] = []
        self._learned: Learned | None = None
        self.counted = 0.0

    def __len__(self) -> int:
        """How many evaluations were learned from."""
        return len(self._seconds)

    def tell(self, point: FloatArray, seconds: float, worker: str = "") -> None:
        """That an evaluation of a (D,) point took so many ``seconds`` > 0, on a worker. O(1)."""
        self._positions.append(point[self._granted.coordinate])
        self._seconds.append(seconds)
        self._workers.append(worker)
        self._learned = None

    @property
    def levels(self) -> Levels:
        """With what is believed of their costs by now."""
        learned = self._now
        return self._granted if learned is None else replace(self._granted, costs=learned.costs)

    @property
    def full_seconds(self) -> float | None:
        """What an evaluation at full fidelity is believed to take; None before any is known."""
        learned = self._now
        return None if learned is None else learned.seconds

    @property
    def _now(self) -> Learned | None:
        """O(n K^2), once for all that was told."""
        if self._learned is None and len(self):
            latest = (self._positions.rows[-MOST:], self._seconds.rows[-MOST:], self._workers[-MOST:])
            self._learned = learned_costs(self._granted, *latest)
        return self._learned


def learned_costs(
    granted: Levels, positions: FloatArray, seconds: FloatArray, workers: Sequence[str]
) -> Learned:
    """From (n,) evaluations, of which there is one at least."""
    x = np.log(granted.costs)
    off = _off_the_line(x)
    features = _features(granted, positions, x, workers)
    features[:, 2 : 2 + len(x)] = features[:, 2 : 2 + len(x)] @ off
    deviations = np.ones(features.shape[1])
    deviations[:2] = HEIGHT, SLOPE
    deviations[2 + len(x) :] = WORKER
    # What is found is what there is beside a line as steep as was granted, about where durations are.
    lacking = np.log(seconds) - features[:, 1]
    middle = float(np.median(lacking))
    found = _under_students_noise(features, lacking - middle, deviations)
    at_levels = found[0] + (1.0 + found[1]) * x + off @ found[2 : 2 + len(x)]
    costs = np.clip(np.exp(at_levels - at_levels[-1]), LEAST_COST, 1.0)
    return Learned(costs, math.exp(middle + float(at_levels[-1])))


def _features(granted: Levels, positions: FloatArray, x: FloatArray, workers: Sequence[str]) -> FloatArray:
    """(n, K) of each evaluation: one, x, which level it is nearest to, and on which worker it was."""
    order = np.argsort(granted.positions)
    along = np.interp(positions, granted.positions[order], x[order])
    nearest = np.abs(positions[:, None] - granted.positions).argmin(axis=1)
    named = {name: column for column, name in enumerate(dict.fromkeys(workers))}
    each = np.eye(len(named))[[named[worker] for worker in workers]]
    return np.column_stack([np.ones(len(positions)), along, np.eye(len(x))[nearest], each])


def _off_the_line(x: FloatArray) -> FloatArray:
    """(L, L) a root of the covariance of what levels lie off the line by."""
    from orchestrator.numerics.linalg import cholesky

    apart = (x[:, None] - x) / max(SPAN_ALIKE * float(np.ptp(x)), 1e-9)
    return OFF_THE_LINE * cholesky(np.exp(-0.5 * apart**2)).lower


def _under_students_noise(features: FloatArray, values: FloatArray, deviations: FloatArray) -> FloatArray:
    """(K,) the likeliest coefficients, of which (K,) deviations about 0 are expected."""
    from orchestrator.numerics.linalg import cholesky

    weights, variance = np.ones(len(values)), SPREAD**2
    expected = np.diag(deviations**-2.0)
    found = np.zeros(len(deviations))
    for _ in range(ROUNDS):
        weighed = features.T * (weights / variance)
        found = cholesky(weighed @ features + expected).solve(weighed @ values)
        squares = (values - features @ found) ** 2
        known = SPREAD_KNOWN_AS_OF + len(values)
        variance = (SPREAD_KNOWN_AS_OF * SPREAD**2 + float(weights @ squares)) / known
        weights = (DEGREES + 1.0) / (DEGREES + squares / variance)
    return found
