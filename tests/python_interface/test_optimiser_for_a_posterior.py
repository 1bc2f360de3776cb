"""From Python, a search for how plausible parameters are: in batches, with integers and choices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from orchestrator import Optimiser
from orchestrator.errors import OrchestratorError

PARAMETERS = {
    "rate": {"type": "float", "bounds": [0.1, 10], "scale": "log"},
    "order": {"type": "int", "bounds": [1, 3]},
    "kind": {"type": "choice", "values": ["closed", "open"]},
}


def left(told: Mapping[str, Any]) -> dict[str, float]:
    rest = 0.1 if told["kind"] == "open" else 0.0
    return {f"y{t}": math.exp(-told["rate"] * t / told["order"]) + rest for t in (1, 2)}


FIT = {
    name: {"value": value, "error": 0.02}
    for name, value in left({"rate": 1, "order": 2, "kind": "closed"}).items()
}


def test_it_is_asked_and_told_as_any_and_finds_all_that_is_plausible() -> None:
    """Of a rate and an order only the ratio is known: three pairs fit as well."""
    optimiser = Optimiser(PARAMETERS, fit=FIT, goal="minimise", algorithm="posterior", noise=0.0, seed=1)
    told = []
    for _ in range(6):
        for asked in optimiser.ask(2):
            told.append(dict(asked.parameters))
            optimiser.tell(asked.trial, left(asked.parameters))
    near = [one for one in told if one["kind"] == "closed" and 0.4 < one["rate"] / one["order"] < 0.63]
    assert {one["order"] for one in near} == {1, 2, 3}
    assert "the likelihood by the models may be off by" in str(optimiser.insight())


def test_of_what_is_no_fit_it_is_refused() -> None:
    with pytest.raises(OrchestratorError, match="expected an objective that is a fit"):
        Optimiser(PARAMETERS, goal="minimise", algorithm="posterior")
