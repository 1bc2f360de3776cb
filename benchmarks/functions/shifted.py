"""Copies of synthetic functions, shifted and permuted by a seed, on the unit cube. All are minimised.

Notation: D parameters, n points, u the unit cube.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from evaluators.synthetic.definition import SyntheticFunction
from evaluators.synthetic.registry import synthetic
from evaluators.synthetic.shifting import shifted_and_permuted
from orchestrator.arrays import FloatArray


@dataclass(frozen=True)
class Shifted:
    """A ``function`` of which each seed has a copy of its own."""

    function: str

    @property
    def dimension(self) -> int:
        """D."""
        return synthetic(self.function).dimension

    def of_seed(self, seed: int) -> SyntheticFunction:
        """The copy."""
        return shifted_copy(self.function, seed)

    def regret(self, seed: int, u: FloatArray) -> float:
        """Of a (D,) point of the unit cube."""
        return regret_at(self.of_seed(seed), u)


@cache
def shifted_copy(function: str, seed: int) -> SyntheticFunction:
    """That of a seed."""
    return shifted_and_permuted(synthetic(function), seed)


def within_bounds(function: SyntheticFunction, u: FloatArray) -> FloatArray:
    """(n, D) points between a function's bounds, of (n, D) points of the unit cube."""
    lower, upper = function.bounds.T
    return np.asarray(lower + u * (upper - lower))


def regret_at(function: SyntheticFunction, u: FloatArray) -> float:
    """How much more a function is at a (D,) point of the unit cube than its least value."""
    return float(function.regret(function.evaluate(within_bounds(function, u[None, :])))[0])
