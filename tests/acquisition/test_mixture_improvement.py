"""Expected improvement under several beliefs at once."""

import numpy as np
from scipy.optimize import approx_fprime

from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.acquisition.mixture_improvement import LogMixtureImprovement
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.exact import ExactGP

RNG = np.random.default_rng(0)
X, Y = RNG.random((12, 3)), RNG.standard_normal(12)
PLACES = RNG.random((7, 3))


def belief(family, scale):
    posterior = ExactGP(Kernel(family, np.full(3, scale)), 1e-3)
    posterior.append(X, Y)
    return LogExpectedImprovement(posterior, float(Y.max()))


PARTS = (belief(RBF, 0.4), belief(MATERN_52, 0.9))
WEIGHTS = np.array([0.3, 1.4])


def test_it_is_the_weighted_sum_of_what_each_belief_expects():
    expected = sum(w * np.exp(part.values(PLACES)) for w, part in zip(WEIGHTS, PARTS, strict=True))
    found = LogMixtureImprovement(PARTS, np.log(WEIGHTS))
    np.testing.assert_allclose(np.exp(found.values(PLACES)), expected, rtol=1e-10)
    np.testing.assert_allclose(found.values_and_gradients(PLACES)[0], found.values(PLACES), rtol=1e-12)


def test_its_gradient_agrees_with_finite_differences():
    mixture = LogMixtureImprovement(PARTS, np.log(WEIGHTS))
    _, gradients = mixture.values_and_gradients(PLACES)
    for place, gradient in zip(PLACES, gradients, strict=True):
        numerical = approx_fprime(place, lambda x: mixture.values(x[None])[0], 1e-7)
        np.testing.assert_allclose(gradient, numerical, rtol=1e-3, atol=1e-4)


def test_where_improvement_underflows_there_is_a_gradient_all_the_same():
    hopeless = tuple(LogExpectedImprovement(part.posterior, 60.0) for part in PARTS)
    values, gradients = LogMixtureImprovement(hopeless, np.log(WEIGHTS)).values_and_gradients(PLACES)
    assert (np.exp(values) == 0.0).all()
    assert np.isfinite(gradients).all()
    assert (gradients != 0.0).any(axis=1).all()


def test_a_belief_without_weight_has_no_say():
    alone = LogMixtureImprovement(PARTS, np.array([0.0, -1000.0]))
    np.testing.assert_allclose(alone.values(PLACES), PARTS[0].values(PLACES), rtol=1e-12)
    np.testing.assert_allclose(alone.exploration(PLACES), PARTS[0].exploration(PLACES), rtol=1e-9)


def test_a_hopeless_place_has_its_own_share_of_exploration_beside_those_that_are_less_so():
    mixture = LogMixtureImprovement(
        tuple(LogExpectedImprovement(part.posterior, 60.0) for part in PARTS), np.log(WEIGHTS)
    )
    values = mixture.values(PLACES)
    assert np.exp(values.min() - values.max()) == 0.0
    alone = np.concatenate([mixture.exploration(place[None]) for place in PLACES])
    np.testing.assert_allclose(mixture.exploration(PLACES), alone, rtol=1e-9)
