"""Which of many values a fit sees: the best, which matter most to an optimiser, and some of the others, which
keep the picture whole.

Notation: n values.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.evidence.data import Data

# Of those that are kept one in so many is of the best.
ONE_IN = 4


def subsample(data: Data, size: int, rng: np.random.Generator) -> Data:
    """At most ``size`` of the observations, in their order: the best quarter of the size, the rest drawn.
    Data that is small enough comes back as it is, and draws nothing.
    """
    return data if len(data.y) <= size else data.take(best_and_drawn(data.y, size, rng))


def best_and_drawn(ranked: FloatArray, size: int, rng: np.random.Generator) -> IndexArray:
    """Ascending indices of at most ``size`` of (n,) values, as in `subsample`; of all, where they are few."""
    n = len(ranked)
    if n <= size:
        return np.arange(n)
    order = np.argsort(-ranked, kind="stable")
    best = size // ONE_IN
    drawn = rng.choice(order[best:], size=size - best, replace=False)
    return np.sort(np.concatenate([order[:best], drawn]))


def best_and_spread(ranked: FloatArray, size: int | None) -> IndexArray:
    """Ascending indices of at most ``size`` of (n,) values: the best quarter of the size, the rest spread
    evenly over time. Without a draw, so that what is made of them is a function of the data alone. None keeps
    all.
    """
    if size is None or len(ranked) <= size:
        return np.arange(len(ranked))
    order = np.argsort(-ranked, kind="stable")
    best, others = order[: size // ONE_IN], np.sort(order[size // ONE_IN :])
    return np.sort(np.concatenate([best, others[evenly(len(others), size - len(best))]]))


def evenly(n: int, count: int) -> IndexArray:
    """Ascending indices of at most ``count`` of n things, the first and the last among them."""
    if n <= count:
        return np.arange(n)
    return np.unique(np.linspace(0, n - 1, max(1, count)).round().astype(np.intp))
