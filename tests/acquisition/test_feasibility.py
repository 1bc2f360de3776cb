"""How likely constraints on outcomes are satisfied, and improvement that counts for as much."""

import numpy as np
import pytest

from orchestrator.acquisition.feasibility import (
    DrawnSlackScore,
    ExpectedSlack,
    LogFeasibility,
    SlackScore,
    WhereFeasible,
)
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.draws.drawn_functions import FirstOf
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.posteriors.exact import ExactGP


def posterior(values, seed=0):
    rng = np.random.default_rng(seed)
    gp = ExactGP(Kernel(RBF, np.array([0.4, 0.7])), 1e-4)
    gp.append(rng.random((len(values), 2)), np.array(values))
    return gp


SLACKS = [(posterior([0.3, -0.8, 0.5, 1.1], 1), 0.2), (posterior([-1.0, 0.4, 0.9], 2), -0.1)]
SCORES = [SlackScore(gp, least) for gp, least in SLACKS]
X = np.random.default_rng(3).random((30, 2))


def assert_slopes(function, points, tolerance=1e-4):
    values, gradients = function.values_and_gradients(points)
    assert values == pytest.approx(function.values(points))
    for j in range(points.shape[1]):
        step = np.zeros(points.shape[1])
        step[j] = 1e-6
        slope = (function.values(points + step) - function.values(points - step)) / 2e-6
        assert gradients[:, j] == pytest.approx(slope, rel=tolerance, abs=tolerance)


def test_the_probability_is_that_of_draws_from_the_beliefs():
    rng = np.random.default_rng(4)
    satisfied = np.ones((len(X), 20_000), dtype=bool)
    for gp, least in SLACKS:
        mean, variance = gp.mean_and_variance(X)
        drawn = mean[:, None] + np.sqrt(variance)[:, None] * rng.standard_normal((len(X), 20_000))
        satisfied &= drawn >= least
    assert np.exp(LogFeasibility(SCORES).values(X)) == pytest.approx(satisfied.mean(axis=1), abs=0.015)


def test_its_gradients_are_those_of_its_values():
    assert_slopes(LogFeasibility(SCORES), X)


def test_what_is_expected_of_a_slack_is_how_far_its_mean_is_above_the_least():
    (gp, least), *_ = SLACKS
    expected = ExpectedSlack(gp, least)
    assert expected.values(X) == pytest.approx(gp.mean_and_variance(X)[0] - least)
    assert_slopes(expected, X)


def test_where_it_is_hopeless_it_still_says_which_way_is_better():
    hopeless = [SlackScore(gp, least + 200.0) for gp, least in SLACKS]
    values, gradients = LogFeasibility(hopeless).values_and_gradients(X)
    assert np.isfinite(values).all()
    assert (values < -1e3).all()
    assert np.isfinite(gradients).all()
    assert (np.abs(gradients).max(axis=1) > 1.0).all()


def test_improvement_counts_as_far_as_it_is_likely_to_be_of_use():
    improvement = LogExpectedImprovement(posterior([0.0, 1.0, 0.5], 5), 0.8)
    product = WhereFeasible(improvement, LogFeasibility(SCORES))
    probability = np.exp(LogFeasibility(SCORES).values(X))
    assert np.exp(product.values(X)) == pytest.approx(np.exp(improvement.values(X)) * probability)
    assert product.exploration(X) == pytest.approx(improvement.exploration(X))
    assert_slopes(product, X)


def test_of_drawn_slacks_what_is_clearly_in_costs_nothing_and_what_is_out_all_the_more():
    rng = np.random.default_rng(6)
    drawn = [(FirstOf(PathwiseFunctions.from_posterior(gp, 256, 1, rng)), least) for gp, least in SLACKS]
    feasibility = LogFeasibility([DrawnSlackScore(*one) for one in drawn])
    lacking = np.stack([function.values(X) - least for function, least in drawn]).min(axis=0)
    values = feasibility.values(X)
    assert values[lacking > 0.1] == pytest.approx(0.0, abs=1e-12)
    assert (values[lacking < -0.1] < -40.0).all()
    assert (lacking > 0.1).any()
    assert (lacking < -0.1).any()
    near = X[np.abs(lacking) < 1.0]
    values, gradients = feasibility.values_and_gradients(near)
    step = np.array([1e-7, 0.0])
    slope = (feasibility.values(near + step) - feasibility.values(near - step)) / 2e-7
    assert gradients[:, 0] == pytest.approx(slope, rel=1e-3, abs=1e-2)


def test_no_slacks_are_always_satisfied():
    assert LogFeasibility([]).values(X) == pytest.approx(np.zeros(len(X)))
