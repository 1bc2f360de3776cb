"""What holds of the evidence of every kernel that is put as a `PairModel`."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from orchestrator.surrogates.evidence.data import Data


def told(function, n, dimension, seed=2):
    """What n random points tell of a function, standardised."""
    X = np.random.default_rng(seed).random((n, dimension))
    y = np.array([function(x) for x in X])
    return Data(X, (y - y.mean()) / y.std(), np.arange(dimension))


def require_gradient(evidence):
    """Near the medians of what is believed, it is what finite differences see."""
    medians = np.log([belief.median for belief in evidence.model.beliefs])
    theta = medians + 0.3 * np.random.default_rng(3).standard_normal(len(medians))
    _, found = evidence.log_posterior(theta)
    numerical = approx_fprime(theta, lambda t: evidence.log_posterior(t)[0], 1e-6)
    np.testing.assert_allclose(found, numerical, atol=2e-4 * (1.0 + np.abs(numerical).max()))


def require_exact(evidence, told, family, noise, *known):
    """At the medians, less what is believed, it is that of a Gaussian process with its kernel, perhaps upon
    what is ``known``.
    """
    theta = np.log([belief.median for belief in evidence.model.beliefs])
    own = evidence.model.hyperparameters(theta)
    K = own.kernel(family, told.embedded_parameter, *known).matrix(told.X)
    K += noise * np.eye(len(told.y))
    expected = -0.5 * (told.y @ np.linalg.solve(K, told.y) + np.linalg.slogdet(2.0 * np.pi * K)[1])
    prior = sum(float(b.log_density(t)) for b, t in zip(evidence.model.beliefs, theta, strict=True))
    assert evidence.log_posterior(theta)[0] - prior == pytest.approx(expected, rel=1e-8)
