"""Whole numbers beyond what a float holds to the unit, or a list has places for, in the Python interface."""

from __future__ import annotations

from pathlib import Path

import numpy as np
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


def test_one_that_is_told_stays_itself_though_floats_have_only_its_neighbours(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    box = {"n": {"type": "int", "bounds": [0, 2**62]}}
    optimiser = Optimiser(box, algorithm="random", store=path)
    attached = optimiser.attach({"n": BEYOND})
    assert attached.parameters == {"n": BEYOND}
    optimiser.tell(attached.trial, 1.0)
    optimiser.learn({"n": np.int64(BEYOND + 2)}, 2.0)
    optimiser.learn({"n": 2.0**60}, 0.0)
    optimiser.close()
    again = Optimiser(box, algorithm="random", store=path)
    assert [row["n"] for row in again.results().rows()] == [BEYOND, BEYOND + 2, 2**60]
    assert [type(row["n"]) for row in again.results().rows()] == [int] * 3
    assert again.best().parameters == {"n": BEYOND + 2}
