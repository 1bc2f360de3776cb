"""Outcomes whose errors hang together, as numbers whose errors do not: held against the matrices."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.acquisition.composite_improvement import Composite, LogCompositeImprovement
from orchestrator.acquisition.outcome_draws import OutcomeDraws, OutcomeGroup
from orchestrator.acquisition.whitening import Whitening
from orchestrator.algorithms.composite.modelled_outcomes import ModelledOutcomes
from orchestrator.arrays import FloatArray
from orchestrator.computed_objective import Misfit, misfit_to
from orchestrator.fit_targets import CurveTarget, Target
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP
from orchestrator.unit_cube.domain import Domain

TARGETS = {
    "light": CurveTarget((0.5, 0.4, 0.3, 0.2, 0.1), (1.0,) * 5, told=False),
    "peak": Target(3.0, told=False),
    "week": Target(11.0, told=False),
    "tail": CurveTarget((1.0, 2.0), (1.0,) * 2, told=False),
}
VALUES = np.array([0.5, 0.4, 0.3, 0.2, 0.1, 3.0, 11.0, 1.0, 2.0])
SCALARS = np.array([5, 6])


def covariance(apart: tuple[int, ...] = ()) -> FloatArray:
    """In very different units; the errors of those ``apart`` hang together with none."""
    rng = np.random.default_rng(5)
    roots = rng.standard_normal((9, 14)) * np.geomspace(1e-5, 1e4, 9)[:, None]
    found = np.asarray(roots @ roots.T / 14.0)
    for one in apart:
        found[one, np.arange(9) != one] = found[np.arange(9) != one, one] = 0.0
    return found


def fit(matrix: FloatArray) -> Misfit:
    return misfit_to(TARGETS, tuple(map(tuple, matrix.tolist())), -1.0, 2)


def quadratic(outcomes: FloatArray, matrix: FloatArray) -> FloatArray:
    """r' C^-1 r."""
    scales = np.sqrt(np.diagonal(matrix))
    apart = (outcomes - VALUES) / scales
    inverse = np.linalg.inv(matrix / scales / scales[:, None])
    return np.asarray(np.einsum("...i,ij,...j->...", apart, inverse, apart))


def seen(count: int, seed: int = 3) -> FloatArray:
    return VALUES + np.random.default_rng(seed).standard_normal((count, 9)) * np.geomspace(1e-5, 1e4, 9)


@pytest.mark.parametrize("apart", [(), (2, 5)], ids=["all", "some"])
def test_the_misfit_is_the_residuals_weighed_by_the_inverse_of_the_covariance(apart: tuple[int, ...]) -> None:
    matrix, outcomes = covariance(apart), seen(4)
    found, expected = fit(matrix), quadratic(outcomes, matrix)
    assert -found.values(outcomes[None], np.empty((4, 2)))[0] == pytest.approx(expected, rel=1e-9)
    row = outcomes[0].tolist()
    told = {"light": row[:5], "peak": row[5], "week": row[6], "tail": row[7:]}
    assert found.value({}, told) == pytest.approx(expected[0], rel=1e-9)


def test_its_slopes_are_what_small_steps_show() -> None:
    matrix = covariance((2, 5))
    misfit, outcomes = fit(matrix), seen(3)
    _, slopes = misfit.values_and_slopes(outcomes[None], np.empty((3, 2)))
    for j, step in enumerate(1e-4 * np.sqrt(np.diagonal(matrix))):
        moved = step * np.eye(9)[j]
        shown = (quadratic(outcomes - moved, matrix) - quadratic(outcomes + moved, matrix)) / (2.0 * step)
        assert slopes[0, :, j] == pytest.approx(shown, rel=1e-5)


def test_errors_that_hang_together_with_none_are_as_if_they_were_told_one_by_one() -> None:
    matrix = np.diag(np.geomspace(1e-6, 1e6, 9))
    plain = Misfit(fit(matrix).targets, -1.0, 2)
    assert fit(matrix).whitening is not None
    outcomes = seen(4)
    assert (fit(matrix).values(outcomes[None], outcomes) == plain.values(outcomes[None], outcomes)).all()
    assert (fit(matrix).units == plain.units).all()
    assert fit(matrix).without_errors == ()


@pytest.mark.parametrize("apart", [(), (2, 5)], ids=["all", "some"])
def test_outcomes_are_had_back_and_numbers_among_them_without_curves(apart: tuple[int, ...]) -> None:
    whitening = fit(covariance(apart)).whitening
    assert whitening is not None
    outcomes = seen(4)
    became = whitening.whitened(outcomes)
    assert whitening.outcomes(became) == pytest.approx(outcomes)
    assert whitening.among(SCALARS).outcomes(became[:, SCALARS]) == pytest.approx(outcomes[:, SCALARS])


def test_what_diverged_takes_along_only_those_whose_errors_hang_together_with_it() -> None:
    matrix = covariance((2, 6))
    whitening = Whitening.of(VALUES, matrix, np.array([5, 6, 0, 1, 2, 3, 4, 7, 8]))
    outcomes = seen(2)
    outcomes[0, 0] = np.nan
    became = whitening.whitened(outcomes)
    assert np.isnan(became[0]).tolist() == [True, True, False, True, True, False, False, True, True]
    assert np.isfinite(became[1]).all()


def test_what_is_modelled_of_curves_that_hang_together_leaves_nothing_of_the_misfit_out() -> None:
    matrix, outcomes, X = covariance(), seen(12), np.random.default_rng(0).random((12, 2))
    modelled = ModelledOutcomes.of(fit(matrix), X, outcomes, np.array([0]))
    told = modelled.with_rests
    expected = quadratic(outcomes, matrix)
    assert -told.values(outcomes, X) == pytest.approx(expected, rel=1e-6)
    numbers = modelled.numbers(outcomes)
    assert modelled.scalars(numbers) == pytest.approx(outcomes[:, SCALARS])
    # There are as many components as points.
    light, tail = modelled.curves(numbers, [np.zeros((12, 5)), np.zeros((12, 2))])
    assert light == pytest.approx(outcomes[:, :5], rel=1e-6)
    assert tail == pytest.approx(outcomes[:, 7:], rel=1e-6)


def test_gradients_of_what_is_expected_to_be_gained_are_what_small_steps_show() -> None:
    X = np.random.default_rng(1).random((9, 2))
    a, b = X.T
    outcomes = VALUES + np.stack([np.sin((j + 1) * a) * b for j in range(9)], axis=1)
    matrix = 0.04 * np.eye(9) + 0.03
    modelled = ModelledOutcomes.of(fit(matrix), X, outcomes, np.array([0]))
    numbers = modelled.numbers(outcomes)
    kernel = Hyperparameters((0.5, 0.6), 1.0, 0.0).kernel(MATERN_52, np.arange(2))
    groups = [
        OutcomeGroup(one.start, SharedKernelGP(kernel, 1e-6, X, numbers[:, one]), np.zeros(1), np.ones(1))
        for one in modelled.groups
    ]
    draws = OutcomeDraws.of(groups, 5, np.random.default_rng(2))
    best = LogCompositeImprovement(Composite(Domain.continuous(2), modelled.function, draws), -30.0, 1.0)
    at = np.array([[0.31, 0.62], [0.85, 0.15]])
    _, gradients = best.values_and_gradients(at)
    for coordinate in range(2):
        step = 1e-5 * np.eye(2)[coordinate]
        shown = (best.values(at + step) - best.values(at - step)) / 2e-5
        assert gradients[:, coordinate] == pytest.approx(shown, rel=2e-3, abs=1e-4)
