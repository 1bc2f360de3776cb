"""Thompson sampling: the next point maximises one function drawn from the posterior (Lu et al. 2022, Eq. 9).

Points still running need no care: draws are independent, and differ where the posterior is unsure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from orchestrator.acquisition.posterior import Function, Posterior, share
from orchestrator.arrays import FloatArray


class Drawable(Posterior, Protocol):
    """A posterior from which whole functions can be drawn."""

    def draw(self, rng: np.random.Generator) -> Function:
        """A function from the posterior."""
        ...


@dataclass(frozen=True, eq=False)
class ThompsonSample:
    """A function drawn from ``member``: at (n, E) inputs, values (n,) and gradients (n, E)."""

    member: Posterior
    function: Function

    @classmethod
    def draw(cls, member: Drawable, rng: np.random.Generator) -> ThompsonSample:
        """One draw."""
        return cls(member, member.draw(rng))

    def values(self, X: FloatArray) -> FloatArray:
        return self.function.values(X)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.function.values_and_gradients(X)

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) how much of the draw's value is its departure from the mean."""
        mean, _ = self.member.mean_and_variance(X)
        return share(self.function.values(X) - mean, mean)
