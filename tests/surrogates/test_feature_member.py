"""What features cannot express is paid for as noise, and what is written to JSON comes back to the bit."""

import json

import numpy as np

from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.mixtures.feature_member import (
    APPROXIMATION_VARIANCES,
    FeatureMember,
    draw_features,
)

SHARP = Hyperparameters((0.05, 0.05), 1.0, 1e-6)
SMOOTH = Hyperparameters((2.0, 2.0), 1.0, 1e-6)


def fitted(hyperparameters: Hyperparameters, count: int, y) -> FeatureMember:
    X = np.random.default_rng(0).random((80, 2))
    parameter = np.arange(2)
    features = draw_features(hyperparameters, RBF, parameter, count, np.random.default_rng(1))
    return FeatureMember.fitted(hyperparameters, features, Data(X, y(X), parameter))


def test_a_function_that_the_features_can_express_costs_no_extra_noise():
    member = fitted(SMOOTH, 50, lambda X: np.sin(X.sum(1)))
    assert member.approximation_variance <= 1e-5


def test_a_function_too_sharp_for_so_few_features_costs_noise():
    member = fitted(SHARP, 10, lambda X: np.sin(60 * X.sum(1)))
    assert member.approximation_variance > 0.1
    assert member.approximation_variance in APPROXIMATION_VARIANCES


def test_values_that_are_noisier_are_believed_less():
    X, parameter = np.random.default_rng(0).random((20, 2)), np.arange(2)
    features = draw_features(SMOOTH, RBF, parameter, 30, np.random.default_rng(1))
    member, y = FeatureMember(SMOOTH, 0.0, 0.0), X.sum(1)
    sure = member.posterior(features, Data(X, y, parameter))
    unsure = member.posterior(features, Data(X, y, parameter, np.full(20, 4.0)))
    assert (unsure.mean_and_variance(X)[1] > 10.0 * sure.mean_and_variance(X)[1]).all()


def test_a_member_survives_json_to_the_bit():
    member = fitted(SMOOTH, 20, lambda X: X[:, 0])
    assert FeatureMember.from_json(json.loads(json.dumps(member.to_json()))) == member
