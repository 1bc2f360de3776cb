"""Where the best point lies where a constraint begins to bind, `auto` finds it, and closely."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from orchestrator.python_interface.optimiser import Optimiser, Plan

Objective = Callable[[Mapping[str, Any]], float]


def loss_after(
    trials: int, algorithm: str, parameters: Mapping[str, Any], constraints: list[str], loss: Objective
) -> tuple[float, Mapping[str, Any]]:
    optimiser = Optimiser(
        parameters,
        goal="minimise",
        algorithm=algorithm,
        noise=0.0,
        plan=Plan(trials=trials),
        constraints=constraints,
    )
    for _ in range(trials):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, loss(asked.parameters))
    best = optimiser.best()
    return best.value, best.parameters


@pytest.mark.searches
def test_two_parameters_on_a_straight_boundary() -> None:
    parameters = {"x": (0.0, 1.0), "y": (0.0, 1.0)}

    def loss(p: Mapping[str, Any]) -> float:
        return float((p["x"] - 1.0) ** 2 + (p["y"] - 0.6) ** 2)

    value, best = loss_after(20, "auto", parameters, ["x + y <= 1"], loss)
    assert best["x"] == pytest.approx(0.7, abs=1e-4)
    assert best["y"] == pytest.approx(0.3, abs=1e-4)
    assert best["x"] + best["y"] <= 1
    random, _ = loss_after(20, "random", parameters, ["x + y <= 1"], loss)
    assert value - 0.18 < 0.01 * (random - 0.18)


@pytest.mark.searches
def test_four_parameters_in_the_corner_of_two_constraints() -> None:
    parameters = {f"x{i}": (0.0, 1.0) for i in range(4)}
    wanted = (0.9, 0.6, 0.5, 0.4)

    def loss(p: Mapping[str, Any]) -> float:
        return sum((i + 1) * (p[f"x{i}"] - at) ** 2 for i, at in enumerate(wanted))

    # By Lagrange's conditions, with x0 = x1 and the sum 1.5.
    best_known = {"x0": 0.4217391, "x1": 0.4217391, "x2": 0.3608696, "x3": 0.2956522}
    constraints = ["x0 + x1 + x2 + x3 <= 1.5", "x0 <= x1"]
    value, best = loss_after(35, "auto", parameters, constraints, loss)
    assert best == pytest.approx(best_known, abs=1e-4)
    random, _ = loss_after(35, "random", parameters, constraints, loss)
    assert value - loss(best_known) < 0.01 * (random - loss(best_known))


@pytest.mark.searches
def test_a_whole_number_a_choice_and_a_curved_boundary() -> None:
    parameters = {
        "n": {"type": "int", "bounds": [1, 20]},
        "x": (0.0, 1.0),
        "y": (0.0, 1.0),
        "kind": {"type": "choice", "values": ["rough", "fine"]},
    }

    def loss(p: Mapping[str, Any]) -> float:
        rough = 0.3 if p["kind"] == "rough" else 0.0
        return float((p["n"] - 12) ** 2 / 50 + 3 * (p["x"] - 0.9) ** 2 + (p["y"] - 0.8) ** 2 + rough)

    _, best = loss_after(32, "auto", parameters, ["n * x <= 4", "x + y <= 1.2"], loss)
    assert (best["n"], best["kind"]) == (9, "fine")
    assert best["x"] == pytest.approx(4 / 9, abs=1e-4)
    assert best["n"] * best["x"] <= 4


def test_what_is_left_to_gain_is_where_the_constraints_hold() -> None:
    from orchestrator.algorithms import registry
    from orchestrator.algorithms.base import AskKey, ForeseesGain, Noise, Observation, Problem
    from orchestrator.parameters.space import Space

    space = Space.from_description({"x": (0.0, 1.0), "y": (0.0, 1.0)}, ["x + y <= 1"])
    algorithm = registry.build("gp-ei", Problem(space.domain, noise=Noise("known", 0.0)))
    for trial in range(20):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        x, y = suggestion.point
        algorithm.tell([Observation(trial, suggestion.point, float(x + 2.0 * y + 0.1 * math.sin(x)))])
    algorithm.adopt(algorithm.compute_refit(99))
    # At the corner (0, 1) of the triangle the value is 2; at that of the square it would be 3.
    assert isinstance(algorithm, ForeseesGain)
    assert algorithm.remaining_gain().expected < 0.1
