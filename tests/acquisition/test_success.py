"""How likely evaluations are to succeed, as improvement is weighed by it."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr

from orchestrator.acquisition.feasibility import LogFeasibility, SlackScore
from orchestrator.acquisition.success import CAUTION, LogSuccess
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.exact import ExactGP

X = np.random.default_rng(3).random((30, 2))


def posterior(values, seed):
    gp = ExactGP(Kernel(MATERN_52, np.array([0.4, 0.7])), 1e-2)
    gp.append(np.random.default_rng(seed).random((len(values), 2)), np.array(values))
    return gp


SUCCESS = LogSuccess(posterior([1.0, -2.0, 0.5, 1.5], 1), 0.3)
WITH_A_LEAST = replace(SUCCESS, least=float(np.median(SUCCESS.scores(X))))
SLACK = SlackScore(posterior([0.3, -0.8, 0.5], 2), 0.1)


@pytest.mark.parametrize(
    "function", [SUCCESS, WITH_A_LEAST, LogFeasibility([SLACK], SUCCESS), LogFeasibility([], SUCCESS)]
)
def test_slopes_are_those_of_finite_differences(function):
    values, gradients = function.values_and_gradients(X)
    assert values == pytest.approx(function.values(X))
    for j, step in enumerate(1e-6 * np.eye(2)):
        slope = (function.values(X + step) - function.values(X - step)) / 2e-6
        assert gradients[:, j] == pytest.approx(slope, rel=1e-4, abs=1e-4)


def test_the_probability_is_that_of_labels_drawn_from_latent_functions():
    mean, variance = SUCCESS.posterior.mean_and_variance(X)
    rng = np.random.default_rng(4)
    latent = SUCCESS.mean + mean[:, None] + np.sqrt(variance)[:, None] * rng.standard_normal((30, 40_000))
    assert np.exp(SUCCESS.values(X) / CAUTION) == pytest.approx(ndtr(latent).mean(axis=1), abs=0.01)


def test_what_satisfies_constraints_counts_for_less_where_it_is_unlikely_to_be_seen():
    alone = LogFeasibility([SLACK])
    assert LogFeasibility([SLACK], SUCCESS).values(X) == pytest.approx(alone.values(X) + SUCCESS.values(X))


def test_what_is_less_likely_than_the_least_is_worth_nothing_beside_anything_else():
    z, lacking = SUCCESS.scores(X), SUCCESS.values(X) - WITH_A_LEAST.values(X)
    assert (lacking[z >= WITH_A_LEAST.least] == 0.0).all()
    below = z < WITH_A_LEAST.least - 0.1
    assert below.any()
    assert (lacking[below] > 20.0).all()
