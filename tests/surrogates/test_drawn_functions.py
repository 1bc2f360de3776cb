"""Functions drawn together follow the posterior that each of them would follow alone."""

import numpy as np
import pytest
from process_oracles import joint_draws

from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.draws.drawn_functions import FeatureFunctions, FirstOf
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel
from orchestrator.unit_cube.domain import Domain

SINGLE = Kernel(MATERN_52, np.array([0.4, 0.7]), 1.5)
SUM = AdditiveKernel.over(
    FactorGraph(((0, 1), (1, 2)), 3), Domain.continuous(3), MATERN_52, np.array([0.3, 0.5, 0.8]), (1.0, 0.4)
)


def process(covariance, columns, noise=1e-4):
    gp = ExactGP(covariance, noise)
    X = np.random.default_rng(0).random((12, columns))
    gp.append(X, np.sin(5 * X[:, 0]) + X[:, 1])
    return gp


def in_banks(gp, X, count=600, together=10):
    rng = np.random.default_rng(1)
    banks = [PathwiseFunctions.from_posterior(gp, 128, together, rng) for _ in range(count // together)]
    return np.concatenate([bank.values(X) for bank in banks])


@pytest.mark.parametrize(("covariance", "columns"), [(SINGLE, 2), (SUM, 3)], ids=["one kernel", "a sum"])
def test_draws_have_the_posteriors_mean_and_covariance(covariance, columns):
    gp = process(covariance, columns)
    X = np.random.default_rng(2).random((6, columns))
    mean, _ = gp.mean_and_variance(X)
    drawn = in_banks(gp, X)
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=0.1)
    exact = np.cov(joint_draws(gp, X, 4000, np.random.default_rng(3)).T)
    np.testing.assert_allclose(np.cov(drawn.T), exact, atol=0.12)


def test_of_the_prior_each_factor_has_its_own_variance_and_sees_its_own_columns():
    rng = np.random.default_rng(1)
    # The first factor sees both points as one; a column that no factor sees makes no difference.
    X = np.array([[0.5, 0.5, 0.1, 0.0], [0.5, 0.5, 0.9, 1.0]])
    banks = [FeatureFunctions.from_prior(SUM, 4, 128, 10, rng).values(X) for _ in range(300)]
    np.testing.assert_allclose(np.cov(np.concatenate(banks).T), SUM.matrix(X), atol=0.12)


def test_the_factors_of_a_draw_add_up_to_it():
    gp = process(SUM, 3)
    functions = PathwiseFunctions.from_posterior(gp, 64, 4, np.random.default_rng(4))
    X = np.random.default_rng(9).random((6, 3))
    parts = sum(functions.factor_values(j, X) for j in range(2))
    np.testing.assert_allclose(parts, functions.values(X), atol=1e-9)


def test_a_posterior_that_has_learned_nothing_is_refused():
    with pytest.raises(ValueError, match="has learned none"):
        PathwiseFunctions.from_posterior(ExactGP(SUM, 0.1), 64, 4, np.random.default_rng(0))


def test_without_noise_every_draw_passes_through_the_data():
    gp = process(SINGLE, 2, noise=0.0)
    drawn = PathwiseFunctions.from_posterior(gp, 64, 5, np.random.default_rng(0)).values(gp.inputs)
    np.testing.assert_allclose(drawn, np.tile(gp.values, (5, 1)), atol=1e-6)


def feature_functions():
    features = FourierFeatures(SINGLE.spectral_frequencies(40, np.random.default_rng(5)))
    model = RandomFeatureModel.prior(features, 1.0, 1e-3)
    X = np.random.default_rng(6).random((20, 2))
    model = model.condition_on_batch(X, np.sin(5 * X[:, 0]))
    return model, FeatureFunctions.from_model(model, 400, np.random.default_rng(7))


def test_draws_of_a_random_feature_model_have_its_mean_and_variance():
    model, functions = feature_functions()
    X = np.random.default_rng(8).random((5, 2))
    mean, variance = model.mean_and_variance(X)
    drawn = functions.values(X)
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=0.1)
    np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.3)


def pathwise(covariance, columns):
    return PathwiseFunctions.from_posterior(process(covariance, columns), 64, 4, np.random.default_rng(4))


@pytest.mark.parametrize(
    ("functions", "columns"),
    [(pathwise(SINGLE, 2), 2), (pathwise(SUM, 3), 3), (feature_functions()[1], 2)],
    ids=["pathwise", "pathwise, of a sum", "features"],
)
def test_at_each_point_value_and_gradient_are_those_of_the_function_asked_for(functions, columns):
    X = np.random.default_rng(9).random((6, columns))
    which = np.array([3, 0, 1, 1, 2, 0])
    values, gradients = functions.values_and_gradients(X, which)
    np.testing.assert_allclose(values, functions.values(X)[which, np.arange(6)], atol=1e-10)
    for column in range(columns):
        step = np.zeros(columns)
        step[column] = 1e-6
        ahead, behind = (functions.values(X + sign * step)[which, np.arange(6)] for sign in (1, -1))
        np.testing.assert_allclose(gradients[:, column], (ahead - behind) / 2e-6, rtol=1e-4, atol=1e-5)


def test_a_covariance_without_a_spectral_density_is_refused():
    class Linear:
        def matrix(self, A, B=None):
            return A @ (A if B is None else B).T

    with pytest.raises(TypeError, match=r"expected one stationary kernel or a sum of them .* got a Linear"):
        FeatureFunctions.from_prior(Linear(), 2, 8, 2, np.random.default_rng(0))


def test_the_first_of_many_is_one_of_them():
    functions = pathwise(SINGLE, 2)
    X = np.random.default_rng(3).random((5, 2))
    values, gradients = FirstOf(functions).values_and_gradients(X)
    np.testing.assert_allclose(values, functions.values(X)[0])
    np.testing.assert_array_equal(FirstOf(functions).values(X), functions.values(X)[0])
    np.testing.assert_allclose(gradients, functions.values_and_gradients(X, np.zeros(5, dtype=int))[1])
