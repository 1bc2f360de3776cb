"""Places drawn by a density that may be next to nothing but in parts of a domain, narrow, bent or several.

Notation: D coordinates, p points, P places, K points known to be likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import qmc

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.unit_cube.about_places import AboutPlaces, within
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.numbers_of_points import with_described_in_order

LOG2_EVENLY = 9
"""512 points that lie evenly in the unit cube are the first, and as many about those that are known."""
STEPS, MOVES = 60, 4
"""The density comes in by so many steps at most, and places try so many moves after each."""
LEFT = 0.5
"""Of the places so many are to count for something after a step."""
SHORT = 1e-2
"""Of how far places lie apart, by which they move besides."""
LEAPS = 0.1
"""Of moves so many are by the whole distance of two places, as from one hill of the density to another."""

LogDensity = Callable[[FloatArray], FloatArray]
"""(p,) at (p, D) points of the domain, minus infinity where there is none."""


def likely_places(
    density: LogDensity, domain: Domain, about: FloatArray, count: int, rng: np.random.Generator
) -> FloatArray:
    """(count, D) feasible places, distributed about as a density says that is in relation to uniform numbers,
    as of `Domain.spread`; anywhere, where there is none. ``about`` (K, D), K >= 0, are known to be likely.

    The density comes in step by step, each so large that half of the places still count; after each, places
    move by multiples of how two others lie apart (Metropolis). What is first is half of the cube, and half of
    it about the points that are known: what is narrow would be lost else, where a density that is far lower
    is far wider, before it is seen.

    Source: sequential Monte Carlo, Del Moral, Doucet & Jasra 2006; moves after ter Braak 2006.
    Deviations: what moves are tried depends on all places, which acceptance does not make up for.
    """
    beginning = _Beginning(with_described_in_order(about, domain), domain.dimension)
    numbers = beginning.drawn(rng)
    at = _logarithms(density, domain, beginning, numbers)
    if not np.isfinite(_gained(at)).any():
        return domain.sample(count, rng)
    share = 0.0
    for _ in range(STEPS):
        gained = _gained(at)
        step = _step(gained, 1.0 - share, count)
        share += step
        rows = _drawn(step * gained, count, rng)
        numbers, at = numbers[rows], at[:, rows]
        for _ in range(MOVES):
            tried = _moved(numbers, rng)
            reached = _logarithms(density, domain, beginning, tried)
            weights = np.array([1.0 - share, share])
            kept = np.log(rng.random(count)) < weights @ reached - weights @ at
            numbers, at = np.where(kept[:, None], tried, numbers), np.where(kept, reached, at)
        if share >= 1.0:
            break
    return domain.spread(numbers)


LEAST = -1e300
"""In the place of minus infinity, of which differences are no numbers."""


@dataclass(frozen=True, eq=False, slots=True)
class _Beginning:
    """What numbers are drawn from at first: all of the cube, and ``about`` (K, D) of them."""

    about: FloatArray
    dimension: int

    def drawn(self, rng: np.random.Generator) -> FloatArray:
        """(p, D) numbers in the cube."""
        evenly = qmc.Sobol(self.dimension, seed=rng).random_base2(LOG2_EVENLY)
        return np.vstack([evenly, AboutPlaces(self.about).drawn(rng)]) if len(self.about) else evenly

    def log(self, numbers: FloatArray) -> FloatArray:
        """(p,) the density, but for a constant, of (p, D) numbers in the cube."""
        if not len(self.about):
            return np.zeros(len(numbers))
        return np.asarray(np.logaddexp(math.log(2**LOG2_EVENLY), AboutPlaces(self.about).log(numbers)))


def _logarithms(
    density: LogDensity, domain: Domain, beginning: _Beginning, numbers: FloatArray
) -> FloatArray:
    """(2, p) of what numbers are drawn from at first, and of what they are to be; `LEAST` where there is none
    of both.
    """
    points = domain.spread(numbers)
    allowed = within(numbers) & domain.feasible(points)
    found = np.full((2, len(numbers)), LEAST)
    if allowed.any():
        found[:, allowed] = beginning.log(numbers[allowed]), density(points[allowed])
    return np.asarray(np.maximum(found, LEAST))


def _gained(at: FloatArray) -> FloatArray:
    """(p,) by how much more is to be there than was at first, as a logarithm."""
    return np.where(at[1] > LEAST, at[1] - at[0], -np.inf)


def _step(gained: FloatArray, most: float, count: int) -> float:
    """How much more of the density comes in: as leaves half of the places, or all that is left of it."""
    finite = gained[np.isfinite(gained)]
    least = LEFT * min(count, len(finite))

    def over(logarithm: float) -> float:
        own = math.exp(logarithm) * (finite - finite.max())
        return math.exp(2.0 * logsumexp(own) - logsumexp(2.0 * own)) - least

    low, high = math.log(most) - 60.0, math.log(most)
    if over(high) >= 0.0:
        return most
    return math.exp(brentq(over, low, high, xtol=0.01)) if over(low) > 0.0 else math.exp(low)


def _drawn(logarithms: FloatArray, count: int, rng: np.random.Generator) -> IndexArray:
    """(count,) rows, each about as often as its weight says."""
    ends = np.cumsum(np.exp(logarithms - logarithms.max()))
    at = (np.arange(count) + rng.random()) / count
    return np.asarray(np.minimum(np.searchsorted(ends, at * ends[-1]), len(logarithms) - 1))


def _moved(numbers: FloatArray, rng: np.random.Generator) -> FloatArray:
    """(P, D) numbers, each moved along how two others lie apart."""
    count, dimension = numbers.shape
    apart = numbers[rng.permutation(count)] - numbers[rng.permutation(count)]
    usual = 2.38 / math.sqrt(2.0 * dimension) * rng.uniform(0.3, 1.0, count)
    along = np.where(rng.random(count) < LEAPS, 1.0, usual)[:, None]
    short = SHORT * np.abs(apart).mean(axis=0) * rng.standard_normal(numbers.shape)
    return np.asarray(numbers + along * apart + short)
