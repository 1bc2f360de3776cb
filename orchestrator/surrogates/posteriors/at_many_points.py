"""Moments of a posterior at very many points, some of them at a time: what a processor's caches hold is
computed several times as fast.

Notation: p points, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from orchestrator.arrays import FloatArray

AT_A_TIME = 256
"""Points."""


class HasMoments(Protocol):
    """A posterior of some kind."""

    def mean_at(self, X: FloatArray) -> FloatArray:
        """(p,) means at (p, E) points."""
        ...

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) means and variances at (p, E) points."""
        ...


def means(posterior: HasMoments, X: FloatArray) -> FloatArray:
    """(p,) at (p, E) points."""
    return np.concatenate([posterior.mean_at(X[some]) for some in parts(len(X))])


def means_and_variances(posterior: HasMoments, X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(p,) each, at (p, E) points."""
    both = [posterior.mean_and_variance(X[some]) for some in parts(len(X))]
    return np.concatenate([mean for mean, _ in both]), np.concatenate([variance for _, variance in both])


def parts(count: int, size: int = AT_A_TIME) -> Iterator[slice]:
    """So many rows, in slices of ``size``; one that is empty of none."""
    yield from (slice(start, start + size) for start in range(0, max(count, 1), size))
