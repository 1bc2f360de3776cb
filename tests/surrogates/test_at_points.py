"""A posterior at some points is what it is at each: moments, and covariances of groups with their own."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors import at_many_points
from orchestrator.surrogates.posteriors.at_points import at_points
from orchestrator.surrogates.posteriors.covariances_with import covariances_with
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

RNG = np.random.default_rng(0)
X, y = RNG.random((9, 2)), RNG.standard_normal(9)
A, B = RNG.random((150, 2)), RNG.random((450, 2))
KERNEL = Kernel(RBF, np.array([0.4, 0.7]), 1.3)


def posterior(kind: str) -> ExactGP | RandomFeatureModel:
    if kind == "features":
        features = FourierFeatures(KERNEL.spectral_frequencies(20, np.random.default_rng(1)))
        return RandomFeatureModel.prior(features, KERNEL.variance, 0.01).condition_on_batch(X, y)
    exact = ExactGP(KERNEL, 0.01)
    if kind == "exact":
        exact.append(X, y)
    return exact


@pytest.mark.parametrize("kind", ["exact", "features", "told of nothing"])
def test_moments_and_covariances_are_those_of_the_posterior(kind: str) -> None:
    found = posterior(kind)
    here, there = at_points(found, A), at_points(found, B)
    mean, variance = found.mean_and_variance(A)
    np.testing.assert_allclose(here.means, mean, atol=1e-12)
    np.testing.assert_allclose(here.variances, variance, atol=1e-12)
    np.testing.assert_allclose(here.covariances(there)[0], covariances_with(found, B).matrix(A), atol=1e-12)
    np.testing.assert_allclose(here.covariances(here)[0], covariances_with(found, A).matrix(A), atol=1e-12)


@pytest.mark.parametrize("kind", ["exact", "features"])
@pytest.mark.parametrize("groups", [1, 3, 150])
def test_groups_are_with_their_own(kind: str, groups: int) -> None:
    here, there = at_points(posterior(kind), A), at_points(posterior(kind), B)
    whole = here.covariances(there)[0].reshape(groups, 150 // groups, groups, 450 // groups)
    for group, own in enumerate(here.covariances(there, groups)):
        np.testing.assert_allclose(own, whole[group, :, group], atol=1e-12)


def test_at_many_points_some_at_a_time_are_as_all_together() -> None:
    exact = posterior("exact")
    assert isinstance(exact, ExactGP)
    assert len(B) > at_many_points.AT_A_TIME
    np.testing.assert_allclose(at_many_points.means(exact, B), exact.mean_at(B), atol=1e-12)
    for one, other in zip(
        at_many_points.means_and_variances(exact, B), exact.mean_and_variance(B), strict=True
    ):
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert at_many_points.means(exact, B[:0]).shape == (0,)
