"""Which parameter is the reason of how much of a function's variance, on functions of which that is known."""

from __future__ import annotations

import numpy as np
import pytest
from second_counts_above import SecondCountsAbove

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.variance_shares import MOST_POINTS, VarianceShares, variance_shares
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.whole_numbers import WholeNumbers


def ishigami(points: FloatArray) -> FloatArray:
    """Ishigami & Homma 1990: the third parameter does nothing alone, and much together with the first."""
    x = np.pi * (2.0 * points - 1.0)
    return np.asarray(np.sin(x[:, 0]) * (1.0 + 0.1 * x[:, 2] ** 4) + 7.0 * np.sin(x[:, 1]) ** 2)


def shares_of(function: object, domain: Domain, seed: int = 0) -> VarianceShares:
    return variance_shares(function, domain, np.random.default_rng(seed))  # type: ignore[arg-type]


def test_a_parameter_that_acts_only_with_another_has_no_share_alone() -> None:
    shares = shares_of(ishigami, Domain.continuous(3))
    assert shares.alone == pytest.approx([0.314, 0.442, 0.0], abs=0.02)
    assert shares.in_all == pytest.approx([0.558, 0.442, 0.244], abs=0.02)


def test_what_adds_up_has_shares_that_add_up_whatever_the_units() -> None:
    weights = np.array([3.0, 2.0, 1.0])
    expected = weights**2 / (weights**2).sum()
    for scale, offset in ((1.0, 0.0), (1e-9, 0.0), (1e140, 0.0), (1e-290, 0.0), (1.0, 1e6)):
        shares = shares_of(lambda X, s=scale, o=offset: o + s * (X @ weights), Domain.continuous(3))
        assert shares.alone == pytest.approx(expected, abs=0.02)
        assert shares.in_all == pytest.approx(expected, abs=0.02)


def test_a_constant_function_has_no_shares() -> None:
    for constant in (0.0, 5.0, -1e150):
        shares = shares_of(lambda X, c=constant: np.full(len(X), c), Domain.continuous(2))
        assert (shares.alone == 0.0).all()
        assert (shares.in_all == 0.0).all()


def test_all_of_the_variance_is_that_of_an_only_parameter() -> None:
    shares = shares_of(lambda X: np.sin(X[:, 0]), Domain.continuous(1))
    assert shares.alone.tolist() == shares.in_all.tolist() == [1.0]


def test_every_choice_is_as_likely_and_every_whole_number() -> None:
    positions = (0.0, 0.01, 1.0)
    domain = Domain(
        (
            Coordinate("categorical", positions),
            Coordinate("ordinal", positions),
            Coordinate(whole=WholeNumbers(1, 100_000)),
        )
    )
    seen: list[FloatArray] = []

    def function(points: FloatArray) -> FloatArray:
        seen.append(points)
        return points.sum(axis=1)

    shares_of(function, domain)
    (points,) = seen
    assert points == pytest.approx(domain.rounded(points), abs=0.0)
    for column in (0, 1):
        counts = [np.mean(points[:, column] == position) for position in positions]
        assert counts == pytest.approx([1 / 3] * 3, abs=0.02)


def test_what_does_not_always_count_changes_nothing_where_it_does_not() -> None:
    domain = Domain(Domain.continuous(2).coordinates, activity=SecondCountsAbove())
    shares = shares_of(lambda X: domain.folded(X)[:, 1], domain)
    # In half of the places the value is the second coordinate, in the others it is 0.25.
    mean, square = 0.5 * (0.25 + 0.5), 0.5 * (0.0625 + 1 / 3)
    variance = square - mean**2
    assert shares.alone[1] == pytest.approx(0.25 / 12 / variance, abs=0.03)
    assert shares.in_all[1] == pytest.approx(0.5 / 12 / variance, abs=0.03)


def test_of_thousands_of_parameters_no_more_points_are_asked_than_are_affordable() -> None:
    asked: list[int] = []

    def function(points: FloatArray) -> FloatArray:
        asked.append(len(points))
        return points[:, 0]

    for dimension in (100, 500):
        shares = shares_of(function, Domain.continuous(dimension))
        assert shares.in_all[0] == pytest.approx(1.0, abs=0.1)
        assert shares.in_all[1:] == pytest.approx(0.0, abs=1e-9)
    assert max(asked) <= MOST_POINTS


def test_the_same_draws_give_the_same_shares() -> None:
    first, second = (shares_of(ishigami, Domain.continuous(3), seed=3) for _ in range(2))
    assert first.alone.tolist() == second.alone.tolist()
    assert first.in_all.tolist() == second.in_all.tolist()
