"""Draws from a density over the unit cube, by many walkers that learn from one another which ways to go.

They begin as points that fill the cube, and others about what is known to be likely. The density comes in by
and by, in the place of that of the points, as a power of it that rises from 0 to 1: at each rise points are
drawn anew by how much likelier they became, and walk on. So all of several modes are found that are wide
enough to be seen before they are steep, each with its share of the walkers, and a mode that takes a millionth
of the cube is come down to as it narrows. One with nothing about it that leads there is found where it is
known. What the last of it walks is the chain.

Source: moves of Foreman-Mackey et al. 2013 (`emcee`): differences of two walkers, ter Braak 2006, of which
some lead from one mode to another, and stretches, Goodman & Weare 2010. The rise: Del Moral, Doucet & Jasra
2006, with half of the points left at each.

Notation: D coordinates, W walkers, T steps, tau the steps after which a walker has forgotten where it was
(Sokal 1997; of ranks, Vehtari et al. 2021).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import rankdata

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.rng import derive_seed

LogDensity = Callable[[FloatArray], FloatArray]
"""(k,) of (k, D) points of the unit cube, minus infinity where there is none, and up to a constant."""

WALKERS = 256
LEFT = 0.5
"""Of the points, at each rise."""
STEPS_AT_A_RISE = 5
MOST_RISES = 200
FORGOTTEN = 50
"""Steps before the chain: of points drawn anew many were the same."""
AT_A_TIME = 100
"""Steps before it is looked at how long the chain is, and again after half as many more as there are."""
LONG_ENOUGH = 15.0
"""Times tau: so many walkers together tell tau sooner than a few would."""
WINDOW = 5.0
"""Times tau, over which what is remembered is summed."""


@dataclass(frozen=True, eq=False, slots=True)
class Beginning:
    """(k, D) ``points`` that a walk begins at, and up to a constant the ``log`` of how densely these lie."""

    points: FloatArray
    log: LogDensity = field(default=lambda X: np.zeros(len(X)))


@dataclass(frozen=True, eq=False, slots=True)
class Chain:
    """(T, W, D) ``positions`` of walkers, at each step; (D,) ``forgetting`` tau of each coordinate, in steps;
    ``accepted``: the share of the steps that were taken.
    """

    positions: FloatArray
    forgetting: FloatArray
    accepted: float

    @property
    def lasted(self) -> float:
        """How many times tau, of the coordinate that walkers forget most slowly."""
        slowest = float(self.forgetting.max())
        return len(self.positions) / slowest

    @property
    def is_long_enough(self) -> bool:
        """Whether tau, and so how many draws it is worth, is known."""
        return self.lasted >= LONG_ENOUGH

    @property
    def effective(self) -> float:
        """How many independent draws it is worth."""
        return self.lasted * len(self.positions[0])

    def thinned(self, count: int) -> FloatArray:
        """(S, D) positions, S at most ``count``, as far apart in the chain as may be."""
        every = self.positions.reshape(-1, self.positions.shape[2])
        rows = np.linspace(0, len(every) - 1, min(count, len(every))).round().astype(int)
        return np.asarray(every[rows])


@dataclass(frozen=True, slots=True)
class Stream:
    """Of random numbers, by its identity: see `numerics.rng`."""

    seed: int
    purpose: str

    def state(self, number: int) -> Any:
        """What `emcee` draws by, at its numbered part of the walk."""
        own = np.random.SeedSequence(derive_seed(self.seed, self.purpose, number))
        return np.random.RandomState(np.random.MT19937(own)).get_state()

    def generator(self, number: int) -> np.random.Generator:
        """For what is drawn between two parts of it."""
        return np.random.default_rng(derive_seed(self.seed, f"{self.purpose}, drawn anew", number))


def chain_of(log: LogDensity, begun: Beginning, identity: Stream, most_steps: int) -> Chain:
    """By a walk that begins at k points, k >= 2 D and `WALKERS`; the density is by the volume of the cube. It
    ends after ``most_steps``, be it long enough or not. Raises ValueError where the density is 0 at all of
    the points.
    """
    points, at = begun.points, np.stack([begun.log(begun.points), log(begun.points)])
    if not np.isfinite(at[1]).any():
        raise ValueError("expected a density above 0 at one point, got none")
    power, rises = 0.0, 0
    while power < 1.0:
        rises += 1
        gained = at[1] - at[0]
        rise = _rise(gained, 1.0 - power) if rises < MOST_RISES else 1.0 - power
        power = min(1.0, power + rise)
        rows = _drawn_anew(rise, gained, len(points), identity.generator(rises))
        points, at = _walked((begun.log, log), points[rows], at[:, rows], power, identity.state(rises))
    walkers = identity.generator(0).permutation(len(points))[: max(WALKERS, 2 * points.shape[1])]
    return _chain(log, points[walkers], identity.state(0), most_steps)


def _rise(logs: FloatArray, most: float) -> float:
    """By how much the power may rise for `LEFT` of the points to be left, in their effective number."""

    def left(rise: float) -> float:
        weights = _weights(rise, logs)
        return float(1.0 / np.square(weights).sum()) / len(logs)

    if left(most) >= LEFT:
        return most
    low, high = 0.0, most
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if left(middle) > LEFT else (low, middle)
    return high


def _weights(rise: float, logs: FloatArray) -> FloatArray:
    # Of a rise of 0 times minus infinity there is nothing to be had.
    raised = np.where(np.isfinite(logs), rise * (logs - logs.max()), -np.inf)
    weights = np.exp(raised)
    return np.asarray(weights / weights.sum())


def _drawn_anew(rise: float, logs: FloatArray, count: int, rng: np.random.Generator) -> IndexArray:
    """Rows, each as often as it became likelier, by one draw for all of them."""
    ends = np.cumsum(_weights(rise, logs))
    at = (np.arange(count) + rng.random()) / count
    return np.asarray(np.minimum(np.searchsorted(ends, at * ends[-1]), len(logs) - 1))


def _walked(
    logs: tuple[LogDensity, LogDensity], points: FloatArray, at: FloatArray, power: float, state: Any
) -> tuple[FloatArray, FloatArray]:
    """Where points are after a few steps under two densities, the second to a ``power`` and the first to what
    is left of 1, and (2, k) logarithms of both there, as ``at`` has them before.
    """
    from emcee import State

    first, second = logs
    left = 1.0 - power

    def tempered(X: FloatArray) -> FloatArray:
        return left * first(X) + power * second(X)

    begun = State(points, log_prob=left * at[0] + power * at[1], random_state=state)
    end = _sampler(tempered, points).run_mcmc(
        begun, STEPS_AT_A_RISE, store=False, skip_initial_state_check=True
    )
    reached, was = np.asarray(end.coords), first(np.asarray(end.coords))
    return reached, np.stack([was, (np.asarray(end.log_prob) - left * was) / power])


def _chain(log: LogDensity, points: FloatArray, state: Any, most_steps: int) -> Chain:
    from emcee import State

    sampler = _sampler(log, points)
    begun = State(points, random_state=state)
    at = sampler.run_mcmc(begun, FORGOTTEN, store=False, skip_initial_state_check=True)
    while True:
        steps = min(max(AT_A_TIME, sampler.iteration // 2), most_steps - sampler.iteration)
        at = sampler.run_mcmc(at, steps, skip_initial_state_check=True)
        positions = np.asarray(sampler.get_chain())
        accepted = float(np.mean(sampler.acceptance_fraction))
        chain = Chain(positions, forgetting_of(positions), accepted)
        if chain.is_long_enough or len(positions) >= most_steps:
            return chain


def forgetting_of(positions: FloatArray) -> FloatArray:
    """(D,) tau of (T, W, D) positions, by how far ranks of walkers are from those of all, on average: what
    stays in one of several modes has forgotten nothing. 1 to T.
    """
    count, _, dimension = positions.shape
    found = np.empty(dimension)
    for j in range(dimension):
        ranks = rankdata(positions[:, :, j]).reshape(count, -1)
        apart = ranks - ranks.mean()
        power = np.square(np.abs(np.fft.rfft(apart, 2 * count, axis=0))).mean(axis=1)
        covariances = np.fft.irfft(power)[:count]
        if not covariances[0] > 0.0:
            found[j] = count
            continue
        sums = 2.0 * np.cumsum(covariances / covariances[0]) - 1.0
        enough = np.flatnonzero(np.arange(count) >= WINDOW * sums)
        found[j] = sums[enough[0]] if len(enough) else count
    return np.asarray(np.clip(found, 1.0, count))


def _sampler(log: LogDensity, points: FloatArray) -> Any:
    # Imported where it is needed: nobody else has to wait for it.
    from emcee import EnsembleSampler
    from emcee.moves import DEMove, StretchMove

    def within(X: FloatArray) -> FloatArray:
        logs = np.full(len(X), -np.inf)
        inside = ((X >= 0.0) & (X <= 1.0)).all(axis=1)
        if inside.any():
            logs[inside] = log(X[inside])
        return logs

    moves = [(DEMove(), 0.5), (DEMove(gamma0=1.0), 0.2), (StretchMove(), 0.3)]
    count, dimension = points.shape
    return EnsembleSampler(count, dimension, within, moves=moves, vectorize=True)
