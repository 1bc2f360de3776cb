"""The posterior of a function by values and derivatives, some of each.

Notation: N rows, p points, E embedded columns.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.with_derivatives import (
    WithDerivatives,
    rows_of_derivatives,
    rows_of_values,
)
from orchestrator.surrogates.posteriors.covariances_with import covariances_with
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.moments import PosteriorGradients


class DerivativeGP:
    """f ~ GP(0, k), seen through normal noise, which each row brings; what it predicts is f."""

    def __init__(self, kernel: WithDerivatives) -> None:
        self._process = ExactGP(kernel, 0.0)

    def __len__(self) -> int:
        return len(self._process)

    @property
    def kernel(self) -> WithDerivatives:
        """Of values and derivatives."""
        kernel = self._process.covariance
        assert isinstance(kernel, WithDerivatives)
        return kernel

    def append(self, rows: FloatArray, y: FloatArray, noise: FloatArray) -> None:
        """Learn (p, E + 1) rows with (p,) observations and (p,) noise variances, one by one or together:
        O(N^2 p). Raises as `ExactGP.append`.
        """
        self._process.append(rows, y, noise)

    def believing(self, X: FloatArray, columns: IndexArray, noise: float, ratio: float) -> DerivativeGP:
        """The same, with (p, E) points observed at what is expected there, value and derivatives along some
        columns, with noise as `DerivativeData.noise_variances` has it: O(N^3).
        """
        if not len(X):
            return self
        rows = np.vstack([rows_of_values(X), *(rows_of_derivatives(x, columns) for x in X)])
        variances = ratio * self.kernel.diagonal(rows)
        variances[: len(X)] = noise
        own, beside = self._process, DerivativeGP(self.kernel)
        beside.append(
            np.vstack([own.inputs, rows]),
            np.concatenate([own.values, own.mean_at(rows)]),
            np.concatenate([own.noise_variances, variances]),
        )
        return beside

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) means and variances of f at (p, E) inputs: O(N^2 p)."""
        return self._process.mean_and_variance(rows_of_values(X))

    def mean_at(self, X: FloatArray) -> FloatArray:
        """(p,) means alone: O(N p)."""
        return self._process.mean_at(rows_of_values(X))

    def covariances(self, X: FloatArray) -> FloatArray:
        """(p, p) of f at (p, E) inputs together: O(N^2 p)."""
        rows = rows_of_values(X)
        return covariances_with(self._process, rows).matrix(rows)

    def covariances_between(self, X: FloatArray, places: FloatArray) -> FloatArray:
        """(p, P) of f at (p, E) inputs with (P, E) places: O(N^2 P + N p P)."""
        return covariances_with(self._process, rows_of_values(places)).matrix(rows_of_values(X))

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with (p, E) gradients."""
        at = self._process.value_gradients(rows_of_values(X))
        slopes = at.mean_gradient[:, :-1], at.variance_gradient[:, :-1]
        return PosteriorGradients(at.mean, at.variance, *slopes)
