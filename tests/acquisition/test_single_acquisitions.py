"""UCB, EI and Thompson samples: values against their definitions, gradients, pending points."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from orchestrator.acquisition.detail import Detailed
from orchestrator.acquisition.doubt import Doubted
from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.improvement import LogExpectedImprovement, log_expected_improvement
from orchestrator.acquisition.posterior import Acquisition, share
from orchestrator.acquisition.thompson import ThompsonSample
from orchestrator.acquisition.ucb import UpperConfidenceBound, practical_beta, theoretical_beta
from orchestrator.parameters.space import Space
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

KERNEL = Kernel(MATERN_52, np.array([0.4, 0.7]))
X = np.random.default_rng(0).random((12, 2))
Y = np.sin(5 * X[:, 0]) * X[:, 1]
POINTS = np.random.default_rng(1).random((5, 2))


def exact() -> ExactGP:
    gp = ExactGP(KERNEL, 0.01)
    gp.append(X, Y)
    return gp


def by_features() -> RandomFeatureModel:
    features = FourierFeatures(KERNEL.spectral_frequencies(40, np.random.default_rng(2)))
    return RandomFeatureModel.prior(features, 1.0, 0.01).condition_on_batch(X, Y)


POSTERIORS = pytest.mark.parametrize("posterior", [exact(), by_features()], ids=["exact", "features"])
ACQUISITIONS: dict[str, Callable[[Any], Acquisition]] = {
    "ucb": lambda posterior: UpperConfidenceBound(posterior, 2.5),
    "improvement": lambda posterior: LogExpectedImprovement(posterior, 0.6),
    "improvement seen through noise": lambda posterior: LogExpectedImprovement(posterior, 0.6, 0.2),
    "improvement that a doubted belief expects": lambda posterior: LogExpectedImprovement(
        Doubted(posterior, 3.0), 0.6, 0.2
    ),
    "improvement where there is detail besides": lambda posterior: LogExpectedImprovement(
        Detailed(posterior, 0.1), 0.6
    ),
    "hopeless improvement": lambda posterior: LogExpectedImprovement(posterior, 60.0),
}


@POSTERIORS
@pytest.mark.parametrize("name", list(ACQUISITIONS))
def test_gradients_agree_with_finite_differences(posterior, name):
    acquisition = ACQUISITIONS[name](posterior)
    values, gradients = acquisition.values_and_gradients(POINTS)
    assert np.allclose(values, acquisition.values(POINTS), rtol=1e-9)
    for e in range(2):
        step = np.zeros(2)
        step[e] = 1e-6
        rise = (acquisition.values(POINTS + step) - acquisition.values(POINTS - step)) / 2e-6
        assert np.allclose(gradients[:, e], rise, rtol=1e-4, atol=1e-4)


@POSTERIORS
def test_expected_improvement_is_the_mean_of_what_exceeds_the_best(posterior):
    mean, variance = posterior.mean_and_variance(POINTS)
    for mu, s, log_ei in zip(
        mean, np.sqrt(variance), LogExpectedImprovement(posterior, 0.3).values(POINTS), strict=True
    ):
        improvement = stats.norm(mu, s).expect(lambda f: f - 0.3, lb=0.3)
        assert math.exp(log_ei) == pytest.approx(improvement, rel=1e-4)
        assert log_expected_improvement(mu, s, 0.3) == pytest.approx(log_ei)


def test_what_is_known_improves_by_what_it_is_better_or_not_at_all():
    assert log_expected_improvement(0.8, 0.0, 0.3) == math.log(0.5)
    assert log_expected_improvement(0.2, 0.0, 0.3) == -math.inf


def test_seen_through_noise_it_is_the_mean_of_what_the_belief_after_an_evaluation_exceeds_the_best_by():
    best, noise = 0.3, 0.2
    posterior = exact()
    nodes, weights = np.polynomial.hermite_e.hermegauss(200)
    mean, variance = posterior.mean_and_variance(POINTS)
    for i, x in enumerate(POINTS):
        total = variance[i] + noise
        after = []
        for node in nodes:
            y = np.array([mean[i] + math.sqrt(total) * node])
            evaluated = exact()
            evaluated.append(x[None, :], y, np.array([noise - posterior.noise_variance]))
            after.append(float(evaluated.mean_at(x[None, :])[0]))
        gained = np.maximum(np.array(after) - best, 0.0) @ weights / weights.sum()
        log_ei = LogExpectedImprovement(posterior, best, noise).values(x[None, :])[0]
        assert math.exp(log_ei) == pytest.approx(gained, rel=0.02)


def test_points_that_run_lose_their_appeal_and_the_posterior_is_left_as_it_was():
    posterior = exact()
    bound = UpperConfidenceBound(posterior, 4.0)
    before = bound.values(POINTS)
    with posterior.hallucinating(POINTS[:2]):
        within = bound.values(POINTS)
    assert np.all(within[:2] < before[:2] - 0.05)
    assert np.array_equal(bound.values(POINTS), before)


def test_by_features_points_that_run_lose_their_appeal_too_and_means_stay():
    posterior = by_features()
    believed = posterior.hallucinated(POINTS[:2])
    assert np.allclose(believed.mean_and_variance(POINTS)[0], posterior.mean_and_variance(POINTS)[0])
    before, within = (UpperConfidenceBound(p, 4.0).values(POINTS) for p in (posterior, believed))
    assert np.all(within[:2] < before[:2] - 0.05)


@POSTERIORS
def test_a_doubted_belief_expects_what_it_did_and_is_so_many_times_less_sure(posterior):
    mean, variance = posterior.mean_and_variance(POINTS)
    same, more = Doubted(posterior, 3.0).mean_and_variance(POINTS)
    assert np.array_equal(mean, same)
    assert np.allclose(np.sqrt(more), 3.0 * np.sqrt(variance))


@POSTERIORS
def test_detail_that_nothing_tells_of_leaves_the_hill_where_it_is_and_every_value_less_sure(posterior):
    mean, variance = posterior.mean_and_variance(POINTS)
    same, more = Detailed(posterior, 0.1).mean_and_variance(POINTS)
    assert np.array_equal(mean, same)
    assert np.allclose(more, variance + 0.1)


@POSTERIORS
def test_shares_of_exploration_lie_between_none_and_all(posterior):
    for acquisition in (make(posterior) for make in ACQUISITIONS.values()):
        shares = acquisition.exploration(POINTS)
        assert np.all((shares >= 0) & (shares <= 1))
    assert np.array_equal(UpperConfidenceBound(posterior, 0.0).exploration(POINTS), np.zeros(5))


def test_exploration_is_what_the_deviation_adds_beside_the_mean():
    posterior = exact()
    mean, variance = posterior.mean_and_variance(POINTS)
    s = np.sqrt(variance)
    z = (mean - 0.6) / s
    sample = ThompsonSample.draw(by_features(), np.random.default_rng(3))
    expected = sample.member.mean_and_variance(POINTS)[0]
    for acquisition, added, rest in (
        (UpperConfidenceBound(posterior, 2.5), math.sqrt(2.5) * s, np.abs(mean)),
        (LogExpectedImprovement(posterior, 0.6), s * stats.norm.pdf(z), s * np.abs(z) * stats.norm.cdf(z)),
        (sample, np.abs(sample.values(POINTS) - expected), np.abs(expected)),
    ):
        assert acquisition.exploration(POINTS) == pytest.approx(added / (added + rest))
    assert share(np.array([0.0, 1e-9]), np.array([0.0, 1e-9])) == pytest.approx([0.0, 0.5])


def test_a_thompson_sample_is_one_function_however_often_it_is_looked_at():
    sample = ThompsonSample.draw(by_features(), np.random.default_rng(3))
    assert np.array_equal(sample.values(POINTS), sample.values(POINTS))
    other = ThompsonSample.draw(by_features(), np.random.default_rng(4))
    assert not np.allclose(sample.values(POINTS), other.values(POINTS))
    assert np.all((sample.exploration(POINTS) >= 0) & (sample.exploration(POINTS) <= 1))


def test_the_exploration_weights_are_those_of_the_papers():
    assert practical_beta(t=10, d=5) == pytest.approx(0.2 * 5 * math.log(20))
    expected = 4 * 6 * math.log(10) + 10 * math.log(5 * math.sqrt(math.pi))
    assert theoretical_beta(t=10, d=5) == pytest.approx(expected)
    assert theoretical_beta(t=1, d=1) > 0.0


def test_gradients_of_an_embedded_function_are_those_in_the_cube():
    domain = Space.from_description(
        {"x": (0.0, 1.0), "c": {"type": "choice", "values": [1, 2, 3]}, "z": (0.0, 1.0)}
    ).domain
    kernel = Kernel(MATERN_52, np.full(5, 0.5))
    features = FourierFeatures(kernel.spectral_frequencies(20, np.random.default_rng(2)))
    function = RandomFeatureModel.prior(features, 1.0, 0.01).draw(np.random.default_rng(0))
    objective = Embedded(domain, function)
    points = domain.sample(6, np.random.default_rng(1))
    values, gradients = objective.values_and_gradients(points)
    assert np.allclose(values, objective.values(points))
    assert np.array_equal(gradients[:, 1], np.zeros(6))
    for i in (0, 2):
        step = np.zeros(3)
        step[i] = 1e-6
        rise = (objective.values(points + step) - objective.values(points - step)) / 2e-6
        assert np.allclose(gradients[:, i], rise, atol=1e-5)
