"""Functions drawn of what is believed and of what was measured, held against the dense covariance by hand."""

from __future__ import annotations

import numpy as np
import pytest
from process_oracles import outcomes_believed

from orchestrator.acquisition.averaged_likelihood import AveragedLikelihood
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.acquisition.sum_of_squares import SumOfSquares
from orchestrator.acquisition.target_likelihood import TargetLikelihood
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.draws_by_targets import drawn_by_targets
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP
from orchestrator.unit_cube.domain import Domain

DOMAIN = Domain.continuous(1)
TARGETS, ERRORS = np.array([0.4, -0.2, 1.0]), np.array([0.5, 0.01, 0.2])
FIT = SumOfSquares(TARGETS, ERRORS, -1.0, 1)
SEEN = np.array([[0.1], [0.5], [0.7]])
POINTS = np.array([[0.0], [0.101], [0.3], [0.9]])
DRAWS = 20_000


def group(columns: slice, length: float, scale: float = 1.3) -> OutcomeGroup:
    Y = np.hstack([np.sin(4.0 * SEEN), SEEN**2, 1.0 - SEEN])[:, columns]
    kernel = Hyperparameters((length,), 1.0, 0.0).kernel(MATERN_52, np.arange(1))
    count = Y.shape[1]
    model = SharedKernelGP(kernel, 1e-4, SEEN, Y)
    return OutcomeGroup(columns.start, model, np.full(count, 0.1), np.full(count, scale))


def likelihood(length: float, stretch: float = 1.3) -> TargetLikelihood:
    groups = [group(slice(0, 1), length), group(slice(1, 3), length)]
    return TargetLikelihood.of(DOMAIN, FIT, groups, stretch)


def drawn(*members: TargetLikelihood, factors: FloatArray | None = None) -> FloatArray:
    averaged, rng = AveragedLikelihood(members[0], members), np.random.default_rng(0)
    return drawn_by_targets(averaged, POINTS, DRAWS, rng, factors)


def by_hand(believed: TargetLikelihood, row: int) -> tuple[FloatArray, FloatArray]:
    means, covariances = outcomes_believed(believed, POINTS)
    gain = covariances[row] @ np.linalg.inv(covariances[row] + np.diag(ERRORS**2))
    return means[row] + gain @ (TARGETS - means[row]), covariances[row] - gain @ covariances[row]


@pytest.mark.parametrize("factor", [None, 2.0])
def test_at_each_point_they_are_spread_as_models_and_targets_together_say(factor: float | None) -> None:
    believed = likelihood(0.3)
    found = drawn(believed, factors=None if factor is None else np.full(len(POINTS), factor))
    for row in range(len(POINTS)):
        mean, covariance = by_hand(believed, row)
        covariance = covariance * (factor or 1.0) ** 2
        size = np.sqrt(np.diag(covariance))
        assert (found[:, row].mean(axis=0) - mean) / size == pytest.approx(np.zeros(3), abs=1e-6)
        scaled = np.cov(found[:, row].T) / np.outer(size, size)
        assert scaled == pytest.approx(covariance / np.outer(size, size), abs=0.04)


def test_of_several_models_each_comes_up_as_often_as_it_is_likely_by_the_targets() -> None:
    members = [likelihood(0.2), likelihood(2.0)]
    found = drawn(*members)
    logs = np.array([one.log_of_each(POINTS) for one in members])
    weights = np.exp(logs - logs.max(axis=0))
    weights /= weights.sum(axis=0)
    for row in range(len(POINTS)):
        means = np.array([by_hand(one, row)[0] for one in members])
        # Of two groups, of one outcome and of two.
        each = weights[:, [0, 1, 1], row]
        size = found[:, row].std(axis=0)
        assert found[:, row].mean(axis=0) - (each * means).sum(axis=0) == pytest.approx(
            np.zeros(3), abs=0.02 * size.max()
        )


def test_what_is_left_of_a_curve_is_drawn_as_often_as_it_counts() -> None:
    fit, rest = SumOfSquares(TARGETS[:1], ERRORS[:1], -1.0, 1, squares=1), group(slice(1, 2), 0.3, 4.0)
    believed = TargetLikelihood.of(DOMAIN, fit, [group(slice(0, 1), 0.3), rest])
    found = drawn(believed)[:, :, 1]
    mean, deviation = rest.model.beliefs(DOMAIN.embed(POINTS))
    z = np.linspace(0.0, 40.0, 40_001)
    for row in range(len(POINTS)):
        size = 4.0 * deviation[row]
        density = np.exp(-z / 2.0 - 0.5 * np.square((z - 0.1 - 4.0 * mean[row, 0]) / size))
        expected = float((z * density).sum() / density.sum())
        assert found[:, row].mean() == pytest.approx(expected, rel=0.03, abs=1e-3)
        assert found[:, row].min() >= 0.0


def test_what_targets_say_little_of_is_alike_at_points_that_are_near() -> None:
    near = np.array([[0.3], [0.3 + 1e-4]])
    vague = SumOfSquares(TARGETS, 100.0 * ERRORS, -1.0, 1)
    believed = TargetLikelihood.of(DOMAIN, vague, [group(slice(0, 1), 0.3), group(slice(1, 3), 0.3)])
    averaged = AveragedLikelihood(believed, [believed])
    found = drawn_by_targets(averaged, near, 400, np.random.default_rng(0))[:, :, 0]
    assert np.corrcoef(found.T)[0, 1] > 0.99
