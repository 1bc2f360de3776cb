"""How quickly evaluations end, as what they promise is weighed by it."""

import numpy as np
import pytest

from orchestrator.acquisition.quickness import LogQuickness
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.exact import ExactGP

X = np.random.default_rng(3).random((30, 2))
UNIT = 1.7


def quickness():
    gp = ExactGP(Kernel(MATERN_52, np.array([0.4, 0.7])), 1e-2)
    gp.append(np.random.default_rng(1).random((4, 2)), np.array([1.0, -2.0, 0.5, 1.5]))
    return LogQuickness(gp, UNIT)


def test_slopes_are_those_of_finite_differences():
    values, gradients = quickness().values_and_gradients(X)
    assert values == pytest.approx(quickness().values(X))
    for j, step in enumerate(1e-6 * np.eye(2)):
        slope = (quickness().values(X + step) - quickness().values(X - step)) / 2e-6
        assert gradients[:, j] == pytest.approx(slope, rel=1e-4, abs=1e-4)


def test_what_is_expected_to_take_e_times_as_long_counts_for_a_unit_less_of_the_logarithm():
    mean, _ = quickness().posterior.mean_and_variance(X)
    assert quickness().values(X) == pytest.approx(-UNIT * mean)
    far = np.array([[50.0, 50.0]])
    assert quickness().values(far) == pytest.approx(0.0, abs=1e-6)
