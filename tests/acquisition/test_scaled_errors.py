"""Errors that may all be larger than told, held against quadrature over the factor."""

from __future__ import annotations

import numpy as np
import pytest
from process_oracles import outcomes_believed
from scipy.integrate import quad
from scipy.stats import multivariate_normal

from orchestrator.acquisition.averaged_likelihood import AveragedLikelihood
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.acquisition.scaled_errors import ScaledErrorsLikelihood, log_over_factors
from orchestrator.acquisition.sum_of_squares import SumOfSquares
from orchestrator.acquisition.target_likelihood import TargetLikelihood
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP
from orchestrator.unit_cube.domain import Domain

SEEN = np.array([[0.1], [0.4], [0.6], [0.9]])


def likelihood(values: float, length: float = 2.0) -> TargetLikelihood:
    """Of three outcomes that are to be the same value; models know next to everything of what is smooth."""
    kernel = Hyperparameters((length,), 1.0, 0.0).kernel(MATERN_52, np.arange(1))
    model = SharedKernelGP(kernel, 1e-9, SEEN, np.hstack([SEEN, SEEN, 1.0 - SEEN]))
    fit = SumOfSquares(np.full(3, values), np.full(3, 0.1), -1.0, 1)
    return TargetLikelihood.of(Domain.continuous(1), fit, [OutcomeGroup(0, model, np.zeros(3), np.ones(3))])


def scaled(values: float, measured: int = 3, length: float = 2.0) -> ScaledErrorsLikelihood:
    own = likelihood(values, length)
    return ScaledErrorsLikelihood(AveragedLikelihood(own, (own,)), measured)


@pytest.mark.parametrize("measured", [1, 2, 9, 60])
@pytest.mark.parametrize("square", [0.0, 0.01, 3.0, 60.0, 900.0])
def test_every_factor_from_1_counts(measured: int, square: float) -> None:
    most = -square / 2.0 if square < measured else -measured / 2.0 * np.log(square / measured * np.e)

    def density(log_factor: float) -> float:
        return float(np.exp(-measured * log_factor - square * np.exp(-2.0 * log_factor) / 2.0 - most))

    peak = max(0.0, 0.5 * np.log(max(square, 1e-9) / measured))
    expected, _ = quad(density, 0.0, peak + 40.0 / measured**0.5 + 5.0, points=[peak + 1e-9], limit=200)
    found = log_over_factors(np.array([square]), measured)
    assert found == pytest.approx(np.log(expected) + most, abs=1e-6)


def test_of_thousands_of_targets_it_is_a_number() -> None:
    found = log_over_factors(np.array([0.0, 1.0, 3000.0, 4000.0, 4100.0, 1e9]), 4000)
    assert np.isfinite(found).all()
    assert (np.diff(found) < 0.0).all()


def test_what_models_do_not_know_is_larger_by_the_factor_as_well() -> None:
    # Between two results and beside one: models are unsure here, and surer there.
    points = np.array([[0.25], [0.42]])
    means, covariances = outcomes_believed(likelihood(0.9, length=0.1), points)

    def density(log_factor: float, row: int) -> float:
        covariance = np.exp(2.0 * log_factor) * (0.01 * np.eye(3) + covariances[row])
        return float(multivariate_normal.pdf(np.full(3, 0.9), means[row], covariance))

    expected = np.log([quad(density, 0.0, 20.0, args=(row,), points=[1.0, 3.0])[0] for row in range(2)])
    found = scaled(0.9, length=0.1).log(points)
    assert found[1] - found[0] == pytest.approx(expected[1] - expected[0], abs=1e-5)


def test_settings_that_fit_less_well_count_for_more_where_nothing_fits_well() -> None:
    points = np.array([[0.5], [0.6]])
    near, far = (np.ptp(scaled(values).log(points)) for values in (0.5, 8.0))
    told = np.ptp(likelihood(8.0).log(points))
    assert far < 0.1 * told
    assert near < np.ptp(likelihood(0.5).log(points))


def test_factors_drawn_are_as_the_misfit_asks_for() -> None:
    points, rng = np.full((4000, 1), 0.5), np.random.default_rng(0)
    large = scaled(8.0).factors(points, rng)
    chi = likelihood(8.0).squares_and_sizes(points)[0, 0]
    # Of squares of chi squared of three, that are far from cut off at 1.
    assert np.mean(chi / large**2) == pytest.approx(3.0, abs=0.2)
    small = scaled(0.5).factors(points, rng)
    assert small.min() >= 1.0
    # Of s^-4, without a misfit.
    assert np.median(small) == pytest.approx(2.0 ** (1.0 / 3.0), abs=0.03)
    # Of s^-401, where the chance of as small a misfit is no float.
    of_many = scaled(0.5, measured=400).factors(points, rng)
    assert 400 * np.median(np.log(of_many)) == pytest.approx(np.log(2.0), abs=0.05)


def test_what_models_expect_counts_by_the_same_factor() -> None:
    own, points = scaled(0.7), np.array([[0.45], [0.8]])
    assert own.log_of_means(points) == pytest.approx(own.log(points), abs=0.05)
    assert own.domain.dimension == 1
