"""An oracle for acquisitions over factors: the normal conditioning formula, and Eqs. 6 and 8 term by term."""

import math

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.posteriors.additive import AdditiveGP


def conditioned(gp: AdditiveGP, y: FloatArray, X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(F, m) means and (F, F, m) covariances of the factors at (m, D) points, from the values ``y`` told.

    Independent beforehand, the factors are not so once only their sum is seen: the variance of the sum is the
    sum of all F^2 covariances, not of the variances as section 3.3 of Bardou et al. 2024 has it.
    """
    kernel, inputs, points = gp.total.covariance, gp.total.inputs, gp.domain.embed(X)
    assert isinstance(kernel, AdditiveKernel)
    own = list(zip(kernel.kernels, kernel.columns, strict=True))
    K = sum(k.matrix(inputs[:, at], inputs[:, at]) for k, at in own)
    K += gp.hyperparameters.noise_variance * np.eye(len(inputs))
    cross = [k.matrix(points[:, at], inputs[:, at]) for k, at in own]
    means = np.array([c @ np.linalg.solve(K, y) for c in cross])
    explained = np.array([[(a * np.linalg.solve(K, b.T).T).sum(axis=1) for b in cross] for a in cross])
    prior = np.diag([k.variance for k in kernel.kernels])
    return means, prior[:, :, None] - explained


def bonus(graph: FactorGraph, weights: FloatArray, variances: FloatArray, coupled: bool) -> FloatArray:
    """(m,) from (F, m) variances: Eq. 6 with a weight before each root if coupled, else the deviations."""
    total = np.zeros(variances.shape[1])
    for m in range(len(total)):
        for i in range(graph.size):
            near = graph.neighbours[i] if coupled else (i,)
            parts = [variances[k, m] / (len(graph.neighbours[k]) if coupled else 1) ** 2 for k in near]
            total[m] += weights[i] * math.sqrt(sum(parts))
    return total
