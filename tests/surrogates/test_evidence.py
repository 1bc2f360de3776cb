"""Evidence against a dense formula, and its gradient against finite differences."""

import math

import numpy as np
import pytest

from orchestrator.surrogates.covariances.kernel_families import (
    MATERN_12,
    MATERN_32,
    MATERN_52,
    RBF,
    KernelFamily,
)
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.one_kernel import evidence, log_evidence
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters

# Three parameters, of which the second is categorical with two columns.
OWNERS = np.array([0, 1, 1, 2])


def some_data(extra: bool = True) -> Data:
    rng = np.random.default_rng(0)
    X = rng.random((25, 4))
    X[3] = X[4]
    return Data(X, rng.standard_normal(25), OWNERS, 0.05 * rng.random(25) if extra else None)


@pytest.mark.parametrize("family", [RBF, MATERN_12, MATERN_32, MATERN_52, KernelFamily(1.3)])
@pytest.mark.parametrize("extra", [False, True])
def test_evidence_and_its_gradient(family, extra):
    data = some_data(extra)
    logs = np.log([0.3, 0.8, 1.5, 1.2, 0.05])

    def value(logs):
        h = Hyperparameters(tuple(np.exp(logs[:3])), math.exp(logs[3]), math.exp(logs[4]))
        return log_evidence(h.kernel(family, OWNERS), data, h.noise_variance)

    h = Hyperparameters((0.3, 0.8, 1.5), 1.2, 0.05)
    kernel = h.kernel(family, OWNERS)
    found = evidence(kernel, data, h.noise_variance)
    K = kernel.matrix(data.X) + np.diag(
        0.05 + (0 if data.extra_noise is None else data.extra_noise) + np.zeros(25)
    )
    dense = -0.5 * (data.y @ np.linalg.solve(K, data.y) + np.linalg.slogdet(2 * math.pi * K)[1])
    assert found.value == pytest.approx(dense, abs=1e-9)
    assert value(logs) == pytest.approx(dense, abs=1e-9)
    gradient = [*found.by_length_scale, found.by_variance, found.by_noise]
    for i, slope in enumerate(gradient):
        step = np.zeros(5)
        step[i] = 1e-5
        assert slope == pytest.approx((value(logs + step) - value(logs - step)) / 2e-5, rel=1e-5, abs=1e-5)


def test_singular_data_have_evidence_all_the_same():
    data = Data(np.zeros((5, 1)), np.zeros(5), np.array([0]))
    found = evidence(Hyperparameters((1.0,), 2.0, 0.0).kernel(RBF, np.array([0])), data, 0.0)
    assert math.isfinite(found.value)
    assert np.isfinite([*found.by_length_scale, found.by_variance, found.by_noise]).all()


def test_no_data_is_evidence_of_nothing():
    data = Data(np.zeros((0, 1)), np.zeros(0), np.array([0]))
    assert log_evidence(Hyperparameters((1.0,), 1.0, 0.1).kernel(RBF, np.array([0])), data, 0.1) == 0.0


def test_shapes_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match="expected 3 values"):
        Data(np.zeros((3, 2)), np.zeros(4), np.array([0, 1]))
