"""Whatever holds parameters goes on where settings take time to change, and leaves some as they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from quick_options import quick_options

from orchestrator.algorithms import registry
from orchestrator.errors import UsageError
from orchestrator.python_interface.optimiser import Optimiser

SLOW = {
    "oven": {"type": "float", "bounds": [0, 100], "change": {"takes": 60.0, "per": 10}},
    "nozzle": {"type": "choice", "values": ["a", "b", "c"], "change": "1 h"},
    "gas": {"type": "float", "bounds": [1e-6, 1e-2], "scale": "log"},
}
EVALUATION_S = 200.0


def value(parameters: Mapping[str, Any]) -> float:
    return -abs(parameters["oven"] - 70) / 10 - abs(math.log10(parameters["gas"]) + 3)


def searched(name: str, trials: int = 6) -> list[dict[str, Any]]:
    """Where a machine goes; the fourth trial fails."""
    optimiser = Optimiser(SLOW, algorithm=name, options=quick_options(name), goal="maximise", seed=1)
    places = []
    for turn in range(trials):
        (one,) = optimiser.ask()
        places.append(dict(one.parameters))
        told = None if turn == 3 else value(one.parameters)
        took = sum(one.why.get("change", {}).get("takes", {}).values())
        optimiser.tell(one.trial, told, seconds=EVALUATION_S + took)
    return places


@pytest.mark.parametrize("name", registry.HOLDS_PARAMETERS.able())
def test_what_takes_an_hour_stays_and_what_takes_nothing_changes(name: str) -> None:
    places = searched(name)
    assert len({place["nozzle"] for place in places}) == 1
    assert len({place["gas"] for place in places}) > len(places) / 2


@pytest.mark.parametrize("name", sorted({*registry.OF_ANY_OBJECTIVE} - {*registry.HOLDS_PARAMETERS.able()}))
def test_others_are_refused_with_those_that_can(name: str) -> None:
    with pytest.raises(UsageError, match="expected an algorithm that holds parameters"):
        Optimiser(SLOW, algorithm=name)
