"""What acquisitions need of a surrogate, and what they are: functions of embedded inputs.

Notation: E embedded columns, n points.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.moments import PosteriorGradients


class Posterior(Protocol):
    """A belief in a function: an exact GP, a random-feature model, any member of an ensemble."""

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) means and variances at (n, E) inputs."""
        ...

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with (n, E) gradients."""
        ...


class Function(Protocol):
    """A differentiable function of embedded inputs."""

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values at (n, E) inputs."""
        ...

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, E) gradients."""
        ...


class Acquisition(Function, Protocol):
    """A function whose maximiser is to be evaluated next."""

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) shares in [0, 1] of the score at (n, E) inputs that uncertainty makes, not the mean."""
        ...


def share(bonus: FloatArray, rest: FloatArray) -> FloatArray:
    """(n,) |bonus| as a share of |bonus| + |rest|; 0 where both vanish."""
    bonus, rest = np.abs(bonus), np.abs(rest)
    total = bonus + rest
    return np.divide(bonus, total, out=np.zeros_like(total), where=total > 0)
