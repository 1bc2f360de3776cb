"""Where noise is told, DEC-HBO and DuMBO explore twice as far: nothing there is known for certain."""

import numpy as np
import pytest
from additive_stories import CHAIN, built, told, two_bowls

from orchestrator.algorithms.base import Noise

POINTS = np.random.default_rng(1).random((15, 3))
GROUPS = ((0, 1), (2,))
TOLD = (Noise("known", 0.1), Noise("reported"))


def weights(name, noise, **options):
    """Of each factor's deviation, as it is maximised."""
    factors = GROUPS if name == "add-gp-ucb" else CHAIN
    algorithm = told(built(name, 3, options, factors=factors, noise=noise), two_bowls, POINTS)
    acquisition = algorithm._judged(algorithm._belief, np.empty((0, 3)))
    return np.array([factor.weight for factor in acquisition.factors])


@pytest.mark.parametrize("name", ["dec-hbo", "dumbo"])
def test_deviations_count_twice_where_noise_is_told_and_once_where_it_is_only_inferred(name):
    exact = weights(name, Noise("known", 0.0))
    assert np.array_equal(weights(name, Noise()), exact)
    for noise in TOLD:
        assert weights(name, noise) == pytest.approx(2.0 * exact)


@pytest.mark.parametrize("name", ["add-gp-ucb", "dec-hbo", "dumbo"])
def test_the_theoretical_schedule_stays_as_it_is(name):
    exact = weights(name, Noise("known", 0.0), beta="theoretical")
    assert np.array_equal(weights(name, TOLD[0], beta="theoretical"), exact)


def test_add_gp_ucb_whose_deviations_are_not_halved_explores_no_farther_in_noise():
    assert np.array_equal(weights("add-gp-ucb", TOLD[0]), weights("add-gp-ucb", Noise("known", 0.0)))
