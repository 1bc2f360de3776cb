"""What an exact posterior implies, by dense algebra: for tests of what computes it in another way."""

import numpy as np
from scipy.linalg import block_diag

from orchestrator.acquisition.target_likelihood import factor_of
from orchestrator.numerics.linalg import cholesky


def log_evidence(gp):
    """log p(y | inputs); ``gp`` is an `ExactGP`."""
    K = gp.covariance.matrix(gp.inputs) + np.diag(gp.noise_variances + gp.jitter)
    return -0.5 * (gp.values @ np.linalg.solve(K, gp.values) + np.linalg.slogdet(2.0 * np.pi * K)[1])


def joint_draws(gp, X, count, rng):
    """(count, p) joint draws of the function at (p, E) points; ``gp`` is an `ExactGP`."""
    prior = gp.covariance.matrix(X)
    mean, _ = gp.mean_and_variance(X)
    half = gp.half_solve(gp.covariance.matrix(gp.inputs, X)) if len(gp) else np.zeros((0, len(X)))
    factor = cholesky(prior - half.T @ half, scale=float(np.diagonal(prior).mean()))
    return mean + rng.standard_normal((count, len(X))) @ factor.lower.T


def outcomes_believed(likelihood, points):
    """(p, m) means of the outcomes at (p, D) points, and (m, m) S at each; of a `TargetLikelihood`."""
    X = likelihood.domain.embed(points)
    groups = [one.group for one in likelihood.groups]
    told = [one.model.beliefs(X) for one in groups]
    means = [one.shift + one.scale * mean for one, (mean, _) in zip(groups, told, strict=True)]
    factors = [factor_of(one) for one in groups]
    deviations = likelihood.stretch * np.column_stack([deviation for _, deviation in told])
    covariances = [
        block_diag(*(d**2 * F @ F.T for d, F in zip(row, factors, strict=True))) for row in deviations
    ]
    return np.hstack(means), covariances
