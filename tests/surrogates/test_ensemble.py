"""Weights of hypotheses: by evidence, by predictive likelihood, and never below the floor."""

import math

import numpy as np
import pytest

from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.mixtures.ensemble import Ensemble, normalised
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel


def member(length_scale: float) -> RandomFeatureModel:
    kernel = Kernel(RBF, np.array([length_scale]))
    features = FourierFeatures(kernel.spectral_frequencies(30, np.random.default_rng(7)))
    return RandomFeatureModel.prior(features, 1.0, 0.01)


def smooth_data(n: int) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(0).random((n, 1))
    return X, np.sin(3 * X[:, 0])


def test_weights_updated_one_by_one_are_those_of_the_evidence():
    X, y = smooth_data(12)
    members = [member(0.05), member(0.5), member(5.0)]
    ensemble = Ensemble.by_evidence(["short", "middle", "long"], members, [0.0, 0.0, 0.0])
    for x, value in zip(X, y, strict=True):
        ensemble = ensemble.condition(x, value)
    evidences = [m.condition_on_batch(X, y).log_evidence for m in members]
    at_once = Ensemble.by_evidence(ensemble.names, ensemble.members, evidences)
    assert np.allclose(ensemble.weights, at_once.weights, atol=1e-8)
    assert ensemble.names[ensemble.leader] != "short"


def test_what_is_supposed_is_believed_and_says_nothing_of_the_hypotheses():
    members, point = [member(0.1), member(2.0)], np.array([[0.5]])
    ensemble = Ensemble.by_evidence(["a", "b"], members, np.log([0.25, 0.75]))
    supposed = ensemble.suppose(point[0], 2.0)
    assert np.array_equal(supposed.log_weights, ensemble.log_weights)
    for one, told in zip(supposed.members, ensemble.condition(point[0], 2.0).members, strict=True):
        assert one.mean_and_variance(point) == told.mean_and_variance(point)
        assert one.mean_and_variance(point)[0] == pytest.approx(2.0, abs=0.1)


def test_a_hopeless_member_keeps_the_floor_and_can_come_back():
    X, y = smooth_data(30)
    ensemble = Ensemble.by_evidence(["short", "middle"], [member(0.02), member(0.5)], [0.0, 0.0], 1e-4)
    for x, value in zip(X, y, strict=True):
        ensemble = ensemble.condition(x, value)
    assert ensemble.weights[0] == pytest.approx(1e-4, rel=1e-3)
    assert ensemble.weights.sum() == pytest.approx(1.0)
    assert {ensemble.draw(np.random.default_rng(i)) for i in range(20_000)} == {0, 1}


def test_members_are_drawn_as_often_as_they_weigh():
    ensemble = Ensemble.by_evidence(["a", "b", "c"], [member(1.0)] * 3, np.log([0.2, 0.5, 0.3]))
    rng = np.random.default_rng(0)
    counts = np.bincount([ensemble.draw(rng) for _ in range(20_000)], minlength=3) / 20_000
    assert np.allclose(counts, [0.2, 0.5, 0.3], atol=0.02)


def test_the_mixtures_variance_counts_the_disagreement_of_its_members():
    X, y = smooth_data(6)
    members = [member(0.1).condition_on_batch(X, y), member(2.0).condition_on_batch(X, y)]
    ensemble = Ensemble.by_evidence(["a", "b"], members, np.log([0.25, 0.75]))
    point = np.array([[0.5]])
    (m0, v0), (m1, v1) = (m.mean_and_variance(point) for m in members)
    mean, variance = ensemble.mean_and_variance(point)
    assert mean == pytest.approx(0.25 * m0 + 0.75 * m1)
    second_moment = 0.25 * (v0 + m0**2) + 0.75 * (v1 + m1**2)
    assert variance == pytest.approx(second_moment - mean**2)


@pytest.mark.parametrize(
    ("logs", "expected"),
    [
        ([0.0, -1e6], [1 / 1.01, 0.01 / 1.01]),
        ([math.nan, -5.0], [0.01 / 1.01, 1 / 1.01]),
        ([-math.inf, -math.inf], [0.5, 0.5]),
        ([math.nan, math.nan], [0.5, 0.5]),
        ([1e308, 1e308], [0.5, 0.5]),
        ([math.inf, 0.0], [1 / 1.01, 0.01 / 1.01]),
    ],
)
def test_broken_evidence_never_breaks_the_weights(logs, expected):
    assert np.allclose(np.exp(normalised(logs, floor=0.01)), expected)


def test_an_ensemble_needs_a_name_and_an_evidence_for_each_member():
    with pytest.raises(ValueError, match="got 1, 2 and 2"):
        Ensemble.by_evidence(["a"], [member(1.0)] * 2, [0.0, 0.0])
    with pytest.raises(ValueError, match="got 0, 0 and 0"):
        Ensemble.by_evidence([], [], [])
