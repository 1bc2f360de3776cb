"""What is believed of a utility once points that nobody has compared came out as predicted."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.latent.likeliest_kernel import FAMILY
from orchestrator.surrogates.latent.utility import Compared, UtilityPosterior
from orchestrator.surrogates.latent.utility_as_predicted import as_predicted

X = np.array([[0.1], [0.5], [0.8]])
COMPARED = Compared(X, np.array([[1, 0], [1, 2]]), np.array([False, False]))
PENDING = np.array([[0.45], [0.95]])
ANYWHERE = np.linspace(0.0, 1.0, 9)[:, None]


@pytest.fixture
def utility() -> UtilityPosterior:
    kernel = Hyperparameters((0.3,), 2.0, 0.0).kernel(FAMILY, np.array([0]))
    return UtilityPosterior.of(COMPARED, kernel)


def test_no_mean_moves_and_what_was_doubtful_there_is_certain(utility: UtilityPosterior) -> None:
    before, after = utility.over(X[1]), as_predicted(utility, X[1], PENDING).over(X[1])
    means, variances = before.mean_and_variance(ANYWHERE)
    means_after, variances_after = after.mean_and_variance(ANYWHERE)
    assert means_after == pytest.approx(means, abs=1e-9)
    assert np.all(variances_after <= variances + 1e-9)
    assert after.mean_and_variance(PENDING)[1].max() < 2e-3 < before.mean_and_variance(PENDING)[1].min()


def test_it_is_what_an_exact_process_believes_that_is_told_so(utility: UtilityPosterior) -> None:
    known = as_predicted(utility, X[1], PENDING)
    told = known.found
    exact = np.linalg.inv(told.covariance + np.diag(told.noise_variances))
    cross = known.cross(ANYWHERE) - known.cross(X[1:2])
    prior = 2.0 * (known.kernel.variance - known.kernel.matrix(ANYWHERE, X[1:2])[:, 0])
    variances = known.over(X[1]).mean_and_variance(ANYWHERE)[1]
    assert variances == pytest.approx(prior - np.einsum("ij,jk,ik->i", cross, exact, cross), abs=1e-6)
