"""By how much one more evaluation may move what is believed: what it is worth, be its value noisy or not.

About a top that has been measured often, little more is to be learned: there a noisy value moves the mean by
less than the function may deviate from it.

Notation: v the posterior variance, r the noise variance of an evaluation, s = v / sqrt(v + r) the deviation
of the posterior mean after it, which is that of the function where there is no noise; E embedded columns, n
points.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.moments import PosteriorGradients


def deviation_after(variance: FloatArray, noise_variance: float) -> FloatArray:
    """(n,) s of (n,) posterior variances and one noise variance >= 0."""
    if noise_variance == 0.0:
        return np.sqrt(variance)
    return variance / np.sqrt(variance + noise_variance)


def deviation_after_gradient(at: PosteriorGradients, noise_variance: float) -> FloatArray:
    """(n, E) gradients of s."""
    if noise_variance == 0.0:
        return at.deviation_gradient
    total = at.variance + noise_variance
    slope = at.deviation * (total + noise_variance) / total**1.5
    return np.asarray(slope[:, None] * at.deviation_gradient)
