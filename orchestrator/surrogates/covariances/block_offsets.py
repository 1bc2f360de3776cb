"""Offsets that all results of a block share, as those of a plate or a day: random effects of a model.

A value is f(x) + h b_j + noise, of the block j, with b_j ~ N(0, s^2) independent of one another: two values
covary by h h' s^2 more if they are of one block, where h, its loading, is 1 of values as they are told, and
the slope there of values that are seen through a map. What a block's results have in common is not taken for
its offset, as a later block is at better points: f and the offsets are inferred together.

Source: Henderson 1975 (best linear unbiased prediction); as a covariance of Gaussian processes, Rasmussen &
Williams 2006, Section 2.7.

Notation: n results, p others, s^2 the offsets' variance, h loadings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray

OF_NONE = -1
"""The number of a block that has no offset: of what only counts as observed."""


@dataclass(frozen=True, slots=True)
class BelievedOffsets:
    """How much offsets vary, their ``variance``, and the ``means`` of what is believed of each, by the number
    of its block: in the objective's units.
    """

    variance: float = 0.0
    means: tuple[float, ...] = ()

    def of(self, numbers: IndexArray) -> FloatArray:
        """(n,) the means of (n,) blocks; 0 of those of which nothing was known."""
        found = np.zeros(len(numbers))
        known = (numbers != OF_NONE) & (numbers < len(self.means))
        found[known] = np.array(self.means)[numbers[known]]
        return found

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {"offset_variance": self.variance, "offsets": list(self.means)}

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> BelievedOffsets:
        """What `to_json` wrote, among other things; older payloads may have none of it, or no means."""
        return cls(payload.get("offset_variance", 0.0), tuple(payload.get("offsets", ())))


@dataclass(frozen=True, eq=False, slots=True)
class Blocks:
    """Of (n,) results by ``numbers``, with offsets of this ``variance`` and (n,) ``loadings``, or all 1."""

    numbers: IndexArray
    variance: float
    loadings: FloatArray | None = None

    @classmethod
    def of_none(cls, count: int, variance: float) -> Blocks:
        """So many results that have no offset."""
        return cls(np.full(count, OF_NONE), variance)

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, rows: IndexArray) -> Blocks:
        """Of some of the results."""
        loadings = None if self.loadings is None else self.loadings[rows]
        return replace(self, numbers=self.numbers[rows], loadings=loadings)

    def followed_by(self, others: Blocks) -> Blocks:
        """Of these results and others."""
        numbers = np.concatenate([self.numbers, others.numbers])
        if self.loadings is None and others.loadings is None:
            return replace(self, numbers=numbers)
        return replace(self, numbers=numbers, loadings=np.concatenate([self.loaded, others.loaded]))

    @property
    def matrix(self) -> FloatArray:
        """(n, n) what offsets add to the covariance of the results."""
        return self.between(self)

    @property
    def variances(self) -> FloatArray:
        """(n,) what offsets add to the variances of the results."""
        return np.where(self.numbers == OF_NONE, 0.0, self.variance) * self.loaded**2

    def between(self, others: Blocks) -> FloatArray:
        """(n, p) what offsets add to the covariances with (p,) other results."""
        alike = (self.numbers[:, None] == others.numbers) & (self.numbers != OF_NONE)[:, None]
        added = np.where(alike, self.variance, 0.0)
        if self.loadings is None and others.loadings is None:
            return added
        return added * np.outer(self.loaded, others.loaded)

    @property
    def loaded(self) -> FloatArray:
        """(n,) loadings."""
        return np.ones(len(self)) if self.loadings is None else self.loadings
