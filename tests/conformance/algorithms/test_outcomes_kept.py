"""Every algorithm goes on where constraints on outcomes are broken, and ends with what satisfies them."""

from __future__ import annotations

import pytest
from conforming import NAMES
from quick_options import quick_options

from orchestrator.python_interface.optimiser import Optimiser, Plan

SPACE = {
    "a": (0.0, 1.0),
    "b": (0.0, 1.0),
    "n": {"type": "int", "bounds": [1, 6]},
}


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def evaluated(parameters: dict) -> tuple[float, dict]:
    a, b, n = (float(parameters[key]) for key in "abn")
    return a + b + n / 6, {"load": a + b, "weight": n * a}


def searched(name: str, constraints: list[str]) -> tuple[Optimiser, list[bool]]:
    optimiser = Optimiser(
        SPACE,
        algorithm=name,
        options=quick_options(name),
        outcomes=["load", "weight"],
        constraints=constraints,
        plan=Plan(trials=16, parallel=2),
        seed=1,
    )
    satisfied = []
    for _ in range(8):
        for asked in optimiser.ask(2):
            value, outcomes = evaluated(dict(asked.parameters))
            satisfied.append(outcomes["load"] <= 1.2 and outcomes["weight"] >= 0.1)
            optimiser.tell(asked.trial, value, outcomes=outcomes)
    return optimiser, satisfied


def test_the_best_satisfies_them(name: str) -> None:
    optimiser, satisfied = searched(name, ["load <= 1.2", "weight >= 0.1"])
    assert any(satisfied)
    assert not all(satisfied), "the constraints must break some, or the test tells nothing"
    _, outcomes = evaluated(dict(optimiser.best().parameters))
    assert outcomes["load"] <= 1.2
    assert outcomes["weight"] >= 0.1


def test_it_goes_on_where_nothing_satisfies_them(name: str) -> None:
    optimiser, _ = searched(name, ["load > 3"])
    assert len(optimiser.ask(2)) == 2
