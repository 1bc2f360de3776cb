"""A function observed with Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluators.synthetic.definition import FloatArray, SyntheticFunction


@dataclass(frozen=True, eq=False)
class NoisyFunction:
    """A function and the standard deviation of the noise on its value, in the value's units.

    The noise is spread evenly over the factors, so that the factors observed sum to the value observed.
    """

    function: SyntheticFunction
    deviation: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.deviation) and self.deviation >= 0.0):
            raise ValueError(f"expected a standard deviation of at least 0, got {self.deviation}")

    def evaluate(self, points: ArrayLike, rng: np.random.Generator) -> FloatArray:
        """The (n,) noisy values at (n, D) points."""
        clean = self.function.evaluate(points)
        values: FloatArray = clean + self._noise(points, rng).sum(axis=1)
        return values

    def factor_values(self, points: ArrayLike, rng: np.random.Generator) -> FloatArray:
        """The (n, F) noisy factors at (n, D) points; they sum to what `evaluate` gives for equal ``rng``."""
        return self.function.factor_values(points) + self._noise(points, rng)

    def _noise(self, points: ArrayLike, rng: np.random.Generator) -> FloatArray:
        terms = 1 if self.function.factors is None else len(self.function.factors)
        share = self.deviation / math.sqrt(terms)
        noise: FloatArray = share * rng.standard_normal((len(np.asarray(points)), terms))
        return noise


def noisy(function: SyntheticFunction, deviation: float) -> NoisyFunction:
    """The function observed with Gaussian noise of this standard deviation."""
    return NoisyFunction(function, deviation)
