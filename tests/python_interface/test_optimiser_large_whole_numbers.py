"""Whole numbers beyond what a float holds to the unit, or a list has places for, in the Python interface."""

from __future__ import annotations

import pytest

from orchestrator import Optimiser
from orchestrator.errors import SpecError

BEYOND = 2**53 + 1


def of_numbers(high: int) -> Optimiser:
    return Optimiser({"n": {"type": "int", "bounds": [0, high]}}, algorithm="random")


@pytest.mark.parametrize("high", [2**62, 2**64, 10**30])
def test_what_lies_between_two_of_very_many_is_learned_at_the_nearer_and_no_best(high: int) -> None:
    optimiser = of_numbers(high)
    optimiser.learn({"n": 3.6}, 2.0)
    optimiser.learn({"n": 7.0000001}, 1.0)
    assert [row["n"] for row in optimiser.results().rows()] == [3.6, 7]
    assert optimiser.best().parameters == {"n": 7}
    with pytest.raises(SpecError, match="expected a whole number in"):
        optimiser.learn({"n": -0.4}, 2.0)
