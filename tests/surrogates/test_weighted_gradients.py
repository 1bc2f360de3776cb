"""Covariances and gradients computed together: any covariance's agree with what it gives alone."""

import numpy as np
import pytest

from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.covariances.interaction import InteractionKernel
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.covariances.trend import TrendKernel
from orchestrator.surrogates.covariances.wave import WaveKernel, Waves

RNG = np.random.default_rng(0)
A, B = RNG.random((7, 3)), RNG.random((5, 3))
WHOLE = Kernel(MATERN_52, np.array([0.3, 0.7, 2.0]), 1.7)
TREND = TrendKernel(Kernel(RBF, np.full(3, 4.0), 2.0), WHOLE)
COVARIANCES = {
    "one kernel": WHOLE,
    "factors": AdditiveKernel(
        (np.array([0, 1]), np.array([1, 2])), (Kernel(RBF, np.ones(2)), Kernel(MATERN_52, np.ones(2)))
    ),
    "pairs": InteractionKernel(MATERN_52, np.ones(3), (0.6, 1.7), np.arange(3)),
    "a trend": TREND,
    "waves": WaveKernel(TREND, np.array([0, 2]), (Waves(3.2, 0.8), Waves(0.4, 1.3))),
}


@pytest.mark.parametrize("covariance", COVARIANCES.values(), ids=COVARIANCES)
def test_the_values_are_the_matrix(covariance):
    assert np.allclose(covariance.cross(A, B).values, covariance.matrix(A, B), rtol=1e-14, atol=0)


@pytest.mark.parametrize("covariance", COVARIANCES.values(), ids=COVARIANCES)
def test_a_stack_of_weights_gives_what_they_give_one_by_one(covariance):
    stack = RNG.standard_normal((4, 7, 5))
    apart = [covariance.cross(A, B).weighted_gradient(weights) for weights in stack]
    together = covariance.cross(A, B).weighted_gradient(stack)
    assert together.shape == (4, 7, 3)
    assert np.allclose(together, apart, rtol=1e-13, atol=1e-14)
