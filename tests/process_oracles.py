"""What an exact posterior implies, by dense algebra: for tests of what computes it in another way."""

import numpy as np

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
