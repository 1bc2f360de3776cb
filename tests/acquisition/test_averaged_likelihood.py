"""The likelihood by several models of outcomes is the mean of theirs, of each group of outcomes by itself."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.acquisition.averaged_likelihood import AveragedLikelihood
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.acquisition.sum_of_squares import SumOfSquares
from orchestrator.acquisition.target_likelihood import TargetLikelihood
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP
from orchestrator.unit_cube.domain import Domain

DOMAIN = Domain.continuous(1)
FIT = SumOfSquares(np.array([0.4, -0.2]), np.array([0.5, 0.1]), -1.0, 1, beyond=3.0)
SEEN = np.array([[0.1], [0.5], [0.7]])
POINTS = np.linspace(0.0, 1.0, 5)[:, None]


def group(column: int, length: float) -> OutcomeGroup:
    Y = np.hstack([np.sin(4.0 * SEEN), SEEN**2])[:, column : column + 1]
    kernel = Hyperparameters((length,), 1.0, 0.0).kernel(MATERN_52, np.arange(1))
    return OutcomeGroup(column, SharedKernelGP(kernel, 1e-4, SEEN, Y), np.zeros(1), np.ones(1))


def likelihood(first: float, second: float) -> TargetLikelihood:
    return TargetLikelihood.of(DOMAIN, FIT, [group(0, first), group(1, second)])


def test_every_pair_of_what_is_believed_of_two_groups_counts_as_much() -> None:
    members = [likelihood(0.2, 0.3), likelihood(1.0, 0.9)]
    pairs = [likelihood(a, b) for a in (0.2, 1.0) for b in (0.3, 0.9)]
    expected = np.log(np.mean([np.exp(one.log(POINTS)) for one in pairs], axis=0))
    assert AveragedLikelihood(members[0], members).log(POINTS) == pytest.approx(expected)


def test_of_one_model_it_is_its_own_and_what_is_expected_is_as_the_likeliest_says() -> None:
    one, other = likelihood(0.2, 0.3), likelihood(1.0, 0.9)
    assert AveragedLikelihood(other, [one]).log(POINTS) == pytest.approx(one.log(POINTS))
    assert (AveragedLikelihood(other, [one]).log_of_means(POINTS) == other.log_of_means(POINTS)).all()
