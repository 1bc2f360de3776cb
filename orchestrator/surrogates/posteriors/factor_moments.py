"""What each factor of a sum is believed to be at a point, from what is known of the sum alone.

Eqs. 4 and 5 of Bardou et al. 2024, at one point and for all factors: for choosing points, where many are
looked at, see `gaussian_factors`.

Notation: n results, F factors, E embedded columns, k_j (n,) the covariances of factor j at the point with the
inputs, L the Cholesky factor of the sum's covariance with noise, alpha as in `ExactGP`.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.posteriors.exact import ExactGP


def factor_moments(posterior: ExactGP, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(F,) means and variances at an embedded (E,) point, standardised. The means add up to the sum's.

    O(F n^2). Raises TypeError for a posterior that is not of a sum.
    """
    kernel = posterior.covariance
    if not isinstance(kernel, AdditiveKernel):
        raise TypeError(f"expected a GP over an AdditiveKernel, got {type(kernel).__name__}")
    covariances = np.array(
        [
            own.matrix(x[None, columns], posterior.inputs[:, columns])[0]
            for columns, own in zip(kernel.columns, kernel.kernels, strict=True)
        ]
    )
    means: FloatArray = covariances @ posterior.alpha
    half = posterior.half_solve(covariances.T)
    prior = np.array([own.variance for own in kernel.kernels])
    return means, np.maximum(prior - np.einsum("nf,nf->f", half, half), 0.0)
