"""How often what is spread about a mean is below a number, held against scipy."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from orchestrator.values.distributions import AboutMean, ByChance, WithinFactor, by_chance

NUMBERS = (0.2, 1.0, 3.0, 4.5)


def test_about_a_mean_it_is_the_normal_distribution() -> None:
    found = [AboutMean(3.0, 2.0).until(number) for number in NUMBERS]
    assert found == pytest.approx(stats.norm(3.0, 2.0).cdf(NUMBERS))


def test_within_a_factor_its_logarithm_is_and_nothing_is_below_0() -> None:
    spread = WithinFactor(3.0, 2.0)
    expected = stats.lognorm(math.log(2.0), scale=3.0).cdf(NUMBERS)
    assert [spread.until(number) for number in NUMBERS] == pytest.approx(expected)
    assert [spread.until(number) for number in (0.0, -1.0)] == [0.0, 0.0]
    assert spread.deviations_off(12.0) == pytest.approx(2.0)


@pytest.mark.parametrize("told", [[1.0], [0.5, "0.5"], [1.5, -0.5], [0.5, math.nan], "half", 0.5, None])
def test_what_is_no_chance_for_each_of_several_values_is_refused(told: object) -> None:
    with pytest.raises(ValueError, match="a chance for each value"):
        by_chance(told)
    assert by_chance([0.25, 0.75, 0]) == ByChance((0.25, 0.75, 0.0))
