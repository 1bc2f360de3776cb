"""A random-feature model in the place of an exact process: what is believed of points for a while."""

import numpy as np
import pytest

from orchestrator.algorithms.mixture.feature_posterior import FeaturePosterior
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

RNG = np.random.default_rng(3)
KERNEL = Kernel(RBF, np.array([0.5, 0.5]))
NEW = RNG.random((6, 2))


@pytest.fixture
def posterior() -> FeaturePosterior:
    features = FourierFeatures(KERNEL.spectral_frequencies(60, np.random.default_rng(2)))
    learned = FeaturePosterior(RandomFeatureModel.prior(features, 1.0, 0.09))
    X = RNG.random((40, 2))
    learned.append(X, np.sin(5.0 * X[:, 0]))
    return learned


@pytest.mark.parametrize("without_noise", [False, True])
def test_means_stay_variances_shrink_and_afterwards_all_is_as_it_was(posterior, without_noise):
    mean, variance = posterior.mean_and_variance(NEW)
    with posterior.hallucinating(NEW[:3], without_noise=without_noise):
        mean_within, variance_within = posterior.mean_and_variance(NEW)
        assert np.allclose(mean_within, mean, atol=1e-8)
        assert (variance_within[:3] < variance[:3]).all()
        assert posterior.model.noise_variance == 0.09
    for one, other in zip((mean, variance), posterior.mean_and_variance(NEW), strict=True):
        assert np.array_equal(one, other)


def test_without_noise_next_to_nothing_is_left_to_learn_of_them(posterior):
    _, variance = posterior.mean_and_variance(NEW[:3])
    with posterior.hallucinating(NEW[:3], without_noise=True):
        _, known = posterior.mean_and_variance(NEW[:3])
    assert (known < 0.02 * variance).all()
