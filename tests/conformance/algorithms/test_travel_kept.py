"""Every algorithm goes on where settings may travel only so far, so that its points are seldom its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from quick_options import quick_options

from orchestrator.algorithms import registry
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.values.travel import too_far

TRAVELLING = {
    "current": {"type": "float", "bounds": [0, 100], "travel": 12},
    "gas": {"type": "float", "bounds": [1e-6, 1e-2], "scale": "log", "travel": 3},
    "turns": {"type": "int", "bounds": [1, 12], "travel": 2},
}
CONSTRAINT = "turns <= 3 + current / 10"
STANDS = {"current": 20.0, "gas": 1e-4, "turns": 3}


def value(parameters: Mapping[str, Any]) -> float:
    return (
        -abs(parameters["current"] - 70) / 10 - abs(math.log10(parameters["gas"]) + 3) - parameters["turns"]
    )


def walked(name: str) -> list[dict[str, Any]]:
    """Where a machine goes, the first of it where it stands; the fourth trial fails."""
    constraints = [CONSTRAINT] if registry.options(name).keeps_constraints else []
    options = quick_options(name)
    optimiser = Optimiser(TRAVELLING, algorithm=name, options=options, constraints=constraints, seed=1)
    optimiser.tell(optimiser.attach(STANDS).trial, value(STANDS))
    places = [STANDS]
    for turn in range(6):
        (one,) = optimiser.ask()
        places.append(dict(one.parameters))
        optimiser.tell(one.trial, None if turn == 3 else value(one.parameters))
    return places


@pytest.mark.parametrize("name", registry.OF_ANY_OBJECTIVE)
def test_every_algorithm_keeps_to_the_limits_and_to_the_constraints_on_the_way(name: str) -> None:
    travel = Optimiser(TRAVELLING, algorithm="random")._space.travel
    places = walked(name)
    for before, after in pairwise(places):
        assert not too_far(travel, before, after)
        if registry.options(name).keeps_constraints:
            assert after["turns"] <= 3 + after["current"] / 10
