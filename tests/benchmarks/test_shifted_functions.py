"""Copies of synthetic functions on the unit cube, one a seed."""

import pytest

from benchmarks.functions.in_rounds import IN_ROUNDS
from benchmarks.functions.shifted import Shifted, regret_at
from benchmarks.functions.slow_to_change import SLOW


@pytest.mark.parametrize("name", sorted({one.function for one in (*SLOW.values(), *IN_ROUNDS.values())}))
def test_no_place_is_better_than_the_optimum_which_each_seed_has_elsewhere(name):
    function = Shifted(name)
    copy = function.of_seed(2)
    lower, upper = copy.bounds.T
    best = (copy.optimum.points[0] - lower) / (upper - lower)
    assert function.regret(2, best) == regret_at(copy, best) == pytest.approx(0.0, abs=1e-4)
    assert function.regret(3, best) > 0.01
