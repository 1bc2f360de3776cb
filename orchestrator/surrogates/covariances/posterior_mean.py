"""The mean of a Gaussian process that is told nothing more: a function like any other, that is known.

Far from what it was told it is 0, the mean of standardised values.

Notation: E embedded columns of an input, of which the process sees some; N values that it was told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.kernels import Kernel


@dataclass(frozen=True, eq=False, slots=True)
class PosteriorMean:
    """m(x) = k(x, ``inputs``)' ``weights``, of (N, C) inputs and (N,) weights; ``columns`` (C,) are those of
    the embedded ones that it is a function of.
    """

    kernel: Kernel
    inputs: FloatArray
    weights: FloatArray
    columns: IndexArray

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) at (n, E) inputs, each from its own input alone, as in `Kernel`: O(n N C)."""
        covariances = self.kernel.matrix(X[:, self.columns], self.inputs)
        return np.asarray(np.einsum("nk,k->n", covariances, self.weights))

    def gradients(self, X: FloatArray) -> FloatArray:
        """(n, E) gradients; 0 along the columns that it does not see."""
        own = self.kernel.cross(X[:, self.columns], self.inputs)
        gradients = np.zeros(X.shape)
        gradients[:, self.columns] = own.weighted_gradient(np.tile(self.weights, (len(X), 1)))
        return gradients
