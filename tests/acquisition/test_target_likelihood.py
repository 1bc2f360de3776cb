"""How likely targets are by models of outcomes, held against the dense covariance and against quadrature."""

from __future__ import annotations

import numpy as np
import pytest
from process_oracles import outcomes_believed
from scipy.integrate import trapezoid
from scipy.stats import multivariate_normal, norm

from orchestrator.acquisition.known_function import Targets
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.acquisition.sum_of_squares import SumOfSquares
from orchestrator.acquisition.target_likelihood import TargetLikelihood
from orchestrator.computed_objective import of_formula
from orchestrator.parameters.space import Space
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP
from orchestrator.unit_cube.domain import Domain

DOMAIN = Domain.continuous(2)
TARGETS, ERRORS = np.array([0.4, -0.2, 1.0, 0.5]), np.array([0.5, 0.1, 2.0, 0.02])
POINTS = np.random.default_rng(3).random((6, 2))
SEEN = np.random.default_rng(8).random((7, 2))


def group(columns: slice, scale: float = 1.7) -> OutcomeGroup:
    """Of the outcomes of the seven results, of which some are alike and more than results tell apart."""
    a, b = SEEN.T
    Y = np.stack([np.sin(4 * a), b**2, a + b, a - b, a * b], axis=1)[:, columns]
    kernel = Hyperparameters((0.5, 0.6), 1.0, 0.0).kernel(MATERN_52, np.arange(2))
    shift, scales = np.full(Y.shape[1], 0.1), np.full(Y.shape[1], scale)
    return OutcomeGroup(columns.start, SharedKernelGP(kernel, 1e-4, SEEN, Y), shift, scales)


GROUPS = [group(slice(0, 1)), group(slice(1, 4))]
FIT = SumOfSquares(TARGETS, ERRORS, -1.0, 2)


def test_it_is_the_density_of_errors_and_models_together_from_that_of_targets_met() -> None:
    likelihood = TargetLikelihood.of(DOMAIN, FIT, GROUPS, stretch=1.3)
    means, covariances = outcomes_believed(likelihood, POINTS)
    met = norm.logpdf(0.0, scale=ERRORS).sum()
    for row, found in enumerate(likelihood.log(POINTS)):
        covariance = np.diag(ERRORS**2) + covariances[row]
        dense = multivariate_normal.logpdf(TARGETS, means[row], covariance)
        assert found == pytest.approx(dense - met, rel=1e-9)


def test_where_models_are_sure_it_is_minus_half_of_the_misfit() -> None:
    likelihood = TargetLikelihood.of(DOMAIN, FIT, GROUPS, stretch=0.0)
    means, _ = outcomes_believed(likelihood, POINTS)
    assert likelihood.log(POINTS) == pytest.approx(FIT.values(means[None], POINTS)[0] / 2.0)
    assert likelihood.log_of_means(POINTS) == pytest.approx(likelihood.log(POINTS))


def test_where_a_model_is_unsure_more_is_likely_far_off_and_less_where_it_fits() -> None:
    sure, unsure = (TargetLikelihood.of(DOMAIN, FIT, GROUPS, stretch).log(POINTS) for stretch in (0.1, 3.0))
    far = int(np.argmin(sure))
    assert unsure[far] > sure[far]
    means, _ = outcomes_believed(TargetLikelihood.of(DOMAIN, FIT, GROUPS), POINTS[:1])
    met = SumOfSquares(means[0], ERRORS, -1.0, 2)
    there = POINTS[:1]
    sure, unsure = (TargetLikelihood.of(DOMAIN, met, GROUPS, stretch).log(there) for stretch in (0.1, 3.0))
    assert unsure < sure < 0.0


def test_points_have_the_same_likelihood_whatever_is_asked_beside_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    likelihood = TargetLikelihood.of(DOMAIN, FIT, GROUPS)
    together = likelihood.log(POINTS)
    monkeypatch.setattr("orchestrator.acquisition.target_likelihood.AT_ONCE", 14)
    assert likelihood.log(POINTS) == pytest.approx(together, rel=1e-12)
    assert likelihood.log(POINTS[:0]).shape == (0,)


@pytest.mark.parametrize("scale", [0.3, 5.0, 300.0])
def test_what_is_left_of_a_curve_counts_on_average_over_what_it_may_be(scale: float) -> None:
    fit = SumOfSquares(TARGETS, ERRORS, -1.0, 2, squares=1)
    rest = group(slice(4, 5), scale)
    with_rest = TargetLikelihood.of(DOMAIN, fit, [*GROUPS, rest])
    assert with_rest.squares_and_sizes(POINTS).sum(axis=0) == pytest.approx(-2.0 * with_rest.log(POINTS))
    added = with_rest.log(POINTS) - TargetLikelihood.of(DOMAIN, FIT, GROUPS).log(POINTS)
    mean, deviation = rest.model.beliefs(DOMAIN.embed(POINTS))
    known = with_rest.log_of_means(POINTS) - TargetLikelihood.of(DOMAIN, FIT, GROUPS).log_of_means(POINTS)
    assert known == pytest.approx(-np.maximum(0.1 + scale * mean[:, 0], 0.0) / 2.0)
    z = np.linspace(0.0, 60.0, 200_001)
    for row, found in enumerate(added):
        density = norm(0.1 + scale * mean[row, 0], scale * deviation[row])
        within = trapezoid(np.exp(-z / 2.0) * density.pdf(z), z) / density.sf(0.0)
        assert found == pytest.approx(np.log(within), abs=1e-5)


def test_what_no_outcome_can_reach_counts_everywhere_alike() -> None:
    beyond = SumOfSquares(TARGETS, ERRORS, -1.0, 2, beyond=3.0)
    without, with_it = (TargetLikelihood.of(DOMAIN, one, GROUPS) for one in (FIT, beyond))
    assert without.log(POINTS) - with_it.log(POINTS) == pytest.approx(1.5)
    # Larger errors make less of it.
    squares, sizes = with_it.squares_and_sizes(POINTS) - without.squares_and_sizes(POINTS)
    assert squares == pytest.approx(3.0)
    assert sizes == pytest.approx(0.0)


def test_outcomes_that_are_astronomical_are_unlikely_and_numbers() -> None:
    huge = TargetLikelihood(DOMAIN, Targets(TARGETS, ERRORS), (), (group(slice(4, 5), 1e30),))
    assert np.isfinite(huge.log(POINTS)).all()
    far = SumOfSquares(TARGETS + 1e200, ERRORS, -1.0, 2)
    assert np.isfinite(TargetLikelihood.of(DOMAIN, far, GROUPS).log(POINTS)).all()


def test_a_formula_has_no_targets() -> None:
    formula = of_formula("u ** 2", ["u"], Space.from_description({"a": (0.0, 2.0)}), 1.0)
    with pytest.raises(ValueError, match="expected a misfit"):
        TargetLikelihood.of(DOMAIN, formula, GROUPS)
