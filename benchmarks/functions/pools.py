"""Pools of points that may be tried, each once, and what each of them gives, for comparisons.

Notation: R rows, D columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import ndtr

from benchmarks.project import PROJECT
from evaluators.synthetic import synthetic
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

PROTEINS = PROJECT / "data" / "CASP.csv"


@dataclass(frozen=True, eq=False)
class Rows:
    """(R, D) ``points`` in the unit cube, and (R,) ``values``, the more the better."""

    points: FloatArray
    values: FloatArray

    def best(self, share: float) -> float:
        """The least value of so large a share of the rows, the best ones; of none, the best value."""
        count = max(1, round(share * len(self.values)))
        return float(np.sort(self.values)[-count])


@dataclass(frozen=True)
class Pool:
    """``count`` rows of ``dimension`` columns, made anew for each seed by ``rows``."""

    dimension: int
    count: int
    rows: Callable[[Pool, np.random.Generator], Rows]
    evaluations: int = 80

    def of_seed(self, seed: int) -> Rows:
        """Those of a seed."""
        return _made(self, seed)


@cache
def _made(pool: Pool, seed: int) -> Rows:
    return pool.rows(pool, stream(seed, "pool", pool.count, pool.dimension))


def correlated(pool: Pool, rng: np.random.Generator) -> FloatArray:
    """(R, D) points of columns that go with half as many causes, each uniform over its range."""
    causes = rng.standard_normal((pool.count, (pool.dimension + 1) // 2))
    mixed = causes @ rng.standard_normal((causes.shape[1], pool.dimension))
    mixed += 0.5 * mixed.std(axis=0) * rng.standard_normal(mixed.shape)
    return np.asarray(ndtr((mixed - mixed.mean(axis=0)) / mixed.std(axis=0)))


def _hartmann(pool: Pool, rng: np.random.Generator) -> Rows:
    points = correlated(pool, rng)
    function = synthetic("hartmann-6")
    low, high = function.bounds.T
    return Rows(points, function.evaluate(low + points * (high - low)))


def _alloys(pool: Pool, rng: np.random.Generator) -> Rows:
    """Shares of four metals and what follows from them but for scatter; the best alloy is a balance."""
    shares = rng.dirichlet(np.full(4, 0.7), pool.count)
    own = rng.random((4, pool.dimension - 4))
    properties = shares @ own + 0.03 * rng.standard_normal((pool.count, pool.dimension - 4))
    sought = rng.dirichlet(np.full(4, 2.0)) @ own
    hardness = -np.square((properties - sought) / properties.std(axis=0)).sum(axis=1)
    values = hardness + 2.0 * np.sin(6.0 * shares[:, 0]) - 4.0 * np.square(shares[:, 1] - 0.3)
    return Rows(_in_the_cube(np.hstack([shares, properties])), values)


def _few_matter(pool: Pool, rng: np.random.Generator) -> Rows:
    points = correlated(pool, rng)
    a, b, c = points[:, rng.permutation(pool.dimension)[:3]].T
    return Rows(points, np.sin(7.0 * a) * b - 2.0 * np.square(c - 0.6))


def _proteins(pool: Pool, rng: np.random.Generator) -> Rows:
    """Structures of proteins, the less they are off the better, of `data/CASP.csv`."""
    table = np.loadtxt(PROTEINS, delimiter=",", skiprows=1)
    # Of some structures nothing is known but that they are the right ones.
    table = table[table[:, 0] > 0.0]
    table = table[np.unique(table[:, 1:], axis=0, return_index=True)[1]]
    chosen = table[rng.choice(len(table), pool.count, replace=False)]
    return Rows(_in_the_cube(chosen[:, 1:]), -chosen[:, 0])


def _in_the_cube(columns: FloatArray) -> FloatArray:
    low, high = columns.min(axis=0), columns.max(axis=0)
    return np.asarray((columns - low) / (high - low))


POOLS: Mapping[str, Pool] = {
    "hartmann-6": Pool(6, 1000, _hartmann),
    "alloys": Pool(8, 2000, _alloys),
    "few matter": Pool(12, 600, _few_matter),
    "proteins": Pool(9, 1000, _proteins),
}
