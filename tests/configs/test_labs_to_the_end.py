"""How near the specs to copy come to the best there is, which long runs of them tell."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from lab_bench import Bench

from orchestrator.numerics.pareto import hypervolume

pytestmark = [
    pytest.mark.searches,
    pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed"),
]


def test_a_girder_is_as_cheap_as_what_it_must_bear_allows(bench: Bench) -> None:
    bench.trials_of("outcomes.yaml", 30)
    assert 142.97 < bench.best()["cost"] < 150.0, "142.979 is the least there is"


def test_a_pipe_is_as_cheap_as_the_flow_allows(bench: Bench) -> None:
    bench.trials_of("conditional.yaml", 30)
    best = bench.best()
    assert best["flow"] >= 75.0
    assert best["pumps"] >= 2
    assert 79.28 < best["cost"] < 85.0, "79.2825 is the least there is, with wool; with foam it is 79.9912"


def test_a_joint_is_as_strong_as_the_air_of_each_day_allows(bench: Bench) -> None:
    trials, first, second = bench.two_days_of_joints(20, 40)
    assert 9.1 < first["strength"] < 9.352, "9.3518 is the most"
    assert trials[20]["strength"] > 8.0, "what was learned the day before says where to look"
    assert 9.0 < second["strength"] < 9.037, "9.03605 is the most"


def test_girders_are_traded_off_between_cheap_and_stiff(bench: Bench) -> None:
    bench.trials_of("trade-offs.yaml", 34)
    front = np.array([(one["cost"], one["deflection"]) for one in bench.best()])
    # The cheapest there is costs 135.7, and bends by 21; 1000 buys the stiffest.
    assert front[:, 0].min() < 200.0
    assert front[:, 1].min() < 2.0
    # Not how many they are, but how much they leave behind, of what costs 500 and bends by 15: 4186 at the
    # most, and up to 3450 where girders are drawn by chance, of forty times.
    assert 3500.0 < hypervolume(-front, np.array([-500.0, -15.0])) < 4186.0
