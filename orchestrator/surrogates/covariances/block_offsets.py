"""Offsets that all results of a block share, as those of a plate or a day: random effects of a model.

A value is f(x) + b_j + noise, of the block j, with b_j ~ N(0, s^2) independent of one another: two values
covary by s^2 more if they are of one block. What a block's results have in common is not taken for its
offset, as a later block is at better points: f and the offsets are inferred together.

Source: Henderson 1975 (best linear unbiased prediction); as a covariance of Gaussian processes, Rasmussen &
Williams 2006, Section 2.7.

Notation: n results, p others, s^2 the offsets' variance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray

OF_NONE = -1
"""The number of a block that has no offset: of what only counts as observed."""


@dataclass(frozen=True, eq=False, slots=True)
class Blocks:
    """Of (n,) results by ``numbers``, with offsets of this ``variance``."""

    numbers: IndexArray
    variance: float

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, rows: IndexArray) -> Blocks:
        """Of some of the results."""
        return replace(self, numbers=self.numbers[rows])

    @property
    def matrix(self) -> FloatArray:
        """(n, n) what offsets add to the covariance of the results."""
        return between(self.numbers, self.numbers, self.variance)


def between(of: IndexArray, others: IndexArray, variance: float) -> FloatArray:
    """(n, p) what offsets add to the covariances of (n,) results with (p,) others, by their blocks."""
    alike = (of[:, None] == others) & (of != OF_NONE)[:, None]
    return np.where(alike, variance, 0.0)
