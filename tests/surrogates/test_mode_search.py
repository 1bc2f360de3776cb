"""The highest of several modes is found; what cannot be factorised is backed away from."""

import numpy as np
import pytest

from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.fits.mode_search import highest_mode

BOUNDS = np.array([[-5.0, 5.0]])


def two_hills(theta):
    """The higher one, at 3, is as wide as the one at -3."""
    heights, away = np.array([1.0, 2.0]), theta[0] - np.array([-3.0, 3.0])
    parts = heights * np.exp(-0.5 * away**2)
    return float(parts.sum()), np.array([-(parts * away).sum()])


def with_a_cliff(theta):
    """Nothing beyond 4 can be factorised."""
    if theta[0] > 4.0:
        raise FactorisationError("not a covariance matrix")
    return two_hills(theta)


def test_of_the_modes_that_starts_lead_to_the_highest_is_found():
    starts = [np.array([-2.5]), np.array([2.0]), np.array([-4.0])]
    assert highest_mode(two_hills, starts, BOUNDS, 50) == pytest.approx(3.0, abs=1e-3)
    assert highest_mode(two_hills, starts[:1], BOUNDS, 50) == pytest.approx(-3.0, abs=1e-3)


def test_a_start_that_cannot_be_factorised_loses_to_one_that_can():
    starts = [np.array([4.5]), np.array([3.9])]
    assert highest_mode(with_a_cliff, starts, BOUNDS, 50) == pytest.approx(3.0, abs=1e-3)


def test_where_no_start_can_be_factorised_that_is_said():
    with pytest.raises(FactorisationError, match="no start"):
        highest_mode(with_a_cliff, [np.array([4.5]), np.array([5.0])], BOUNDS, 50)


def test_value_and_gradient_of_a_point_are_asked_for_once():
    asked = []

    def told_apart(theta):
        asked.append(float(theta[0]))
        return two_hills(theta)

    highest_mode(told_apart, [np.array([-2.5])], BOUNDS, 50)
    assert len(asked) > 3
    assert len(set(asked)) == len(asked)
