"""Every algorithm either holds parameters, however it is asked, or says so and names others that do."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from asked_and_told import Value
from conforming import NAMES
from quick_options import quick_options

from orchestrator.algorithms import registry
from orchestrator.errors import UsageError
from orchestrator.parameters.space import Space
from orchestrator.python_interface.optimiser import Optimiser, Plan

HOLDING = tuple(name for name in NAMES if registry.options(name).holds_parameters)
OTHERS = tuple(name for name in NAMES if name not in HOLDING)

CONTINUOUS = {"a": (0.0, 1.0), "b": (0.0, 3.0), "c": (-1.0, 2.0)}
MIXED = {
    "rate": {"type": "float", "bounds": [1e-6, 1e-1], "scale": "log"},
    "neurons": {"type": "int", "bounds": [2, 100]},
    "many": {"type": "int", "bounds": [1, 50_000], "scale": "log"},
    "machine": {"type": "choice", "values": ["A", "B", "C"]},
    "dropout": {"type": "float", "bounds": [0, 0.5], "step": 0.1},
    "heads": {"type": "ordered", "values": [1, 2, 4, 8, 16]},
}
CONDITIONAL = {
    "solver": {"type": "choice", "values": ["direct", "cg", "gmres"]},
    "restart": {"type": "int", "bounds": [5, 200], "when": {"solver": "gmres"}},
    "room": (15.0, 30.0),
    "weight": {"type": "float", "bounds": [0.0, 2.0], "when": "room >= 20", "otherwise": 1.0},
}
SPACES: Mapping[str, tuple[Mapping[str, Any], list[str], list[dict[str, Any]]]] = {
    "continuous": (CONTINUOUS, [], [{"a": 0.3}, {"b": 0.7, "c": 0.0}]),
    "mixed": (MIXED, [], [{"machine": "B"}, {"many": 1234, "heads": 8}, {"rate": 1e-3, "dropout": 0.3}]),
    "constrained": (
        CONTINUOUS,
        ["a + b + c <= 1", "a * b <= 0.5"],
        [{"a": 0.3}, {"c": 0.9}],
    ),
    "conditional": (
        CONDITIONAL,
        [],
        [{"room": 18.0}, {"solver": "gmres", "restart": 50}, {"room": 25.0, "weight": 0.5}],
    ),
}


def possible(space: str, name: str) -> bool:
    options = registry.options(name)
    return {
        # Who keeps to constraints holds the same numbers within some.
        "continuous": not options.keeps_constraints,
        "constrained": options.keeps_constraints,
        "conditional": options.takes_conditions,
    }.get(space, True)


CASES = [(name, space) for name in HOLDING for space in SPACES if possible(space, name)]


def begun(name: str, space: str, **plan: int) -> Optimiser:
    parameters, constraints, _ = SPACES[space]
    options = quick_options(name)
    return Optimiser(
        parameters, algorithm=name, options=options, constraints=constraints, plan=Plan(**plan), seed=1
    )


def value(parameters: Mapping[str, Any]) -> float:
    numbers = [v if isinstance(v, int | float) else float(len(v)) for v in parameters.values()]
    return -sum((math.log1p(abs(n)) - 0.5) ** 2 for n in numbers)


def asked_while_held(
    optimiser: Optimiser, space: str, value: Value = value, turns: int = 6
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What is held, and what is asked for then, in batches and alone, while others run; a fifth fails."""
    _, _, contexts = SPACES[space]
    found, running = [], []
    rng = np.random.default_rng(0)
    for turn, n in enumerate((3, 2, 2, 2, 1, 2)[:turns]):
        # Every fourth time nothing is.
        held = contexts[turn % len(contexts)] if turn % 4 else {}
        asked = optimiser.ask(n, held=held)
        found += [(held, dict(one.parameters)) for one in asked]
        running += asked
        while len(running) > 2:
            done = running.pop(int(rng.integers(len(running))))
            optimiser.tell(done.trial, None if rng.random() < 0.2 else value(done.parameters))
    return found


@functools.cache
def of_seed_1(name: str, space: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return asked_while_held(begun(name, space, parallel=3), space)


@pytest.mark.parametrize(("name", "space"), CASES)
def test_every_point_has_what_is_held_and_is_feasible_and_none_is_repeated(name: str, space: str) -> None:
    parameters, constraints, _ = SPACES[space]
    described = Space.from_description(parameters, constraints)
    found = of_seed_1(name, space)
    for held, asked in found:
        # What is held is as it was said, and all else as the space decodes it.
        assert asked == described.given({**described.decode(described.encode(asked)), **held}), held
        assert not described.broken_by(asked), asked
    points = [np.round(described.encode(asked), 9).tobytes() for _, asked in found]
    assert len(set(points)) == len(points)


@pytest.mark.parametrize(("name", "space"), CASES)
def test_what_is_not_held_is_chosen(name: str, space: str) -> None:
    found = of_seed_1(name, space)
    for held in SPACES[space][2]:
        asked = [tuple(sorted(one.items(), key=str)) for own, one in found if own == held]
        assert len(set(asked)) == len(asked) > 1


@pytest.mark.parametrize("name", HOLDING)
def test_the_same_seed_asks_for_the_same(name: str) -> None:
    # Each context once; constraints and conditions have such a test of their own.
    again = asked_while_held(begun(name, "mixed", parallel=3), "mixed", turns=4)
    assert again == of_seed_1(name, "mixed")[: len(again)]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("add-mes", {"maxima_of": "functions"}),
        ("add-gp-ucb", {"maximiser": "direct"}),
        ("line-bo", {"directions": "coordinate"}),
        ("line-bo", {"directions": "descent"}),
        ("egp-ts", {"acquisition": "ucb"}),
        ("egp-ts", {"acquisition": "expected-improvement"}),
        ("dumbo", {"nodes": "processes"}),
    ],
)
def test_so_it_is_with_other_options(name: str, options: dict[str, Any]) -> None:
    # One process for each factor, where they have processes of their own.
    factors = [list(MIXED)[:4], list(MIXED)[3:]] if "nodes" in options else None
    optimiser = Optimiser(
        MIXED, algorithm=name, options=quick_options(name) | options, factors=factors, seed=1
    )
    described = Space.from_description(MIXED)
    for held, asked in asked_while_held(optimiser, "mixed"):
        assert {**described.decode(described.encode(asked)), **held} == asked


@pytest.mark.parametrize("name", HOLDING)
def test_a_part_that_is_used_up_is_begun_again(name: str) -> None:
    parameters = {"n": {"type": "int", "bounds": [1, 6]}, "c": {"type": "choice", "values": ["x", "y", "z"]}}
    optimiser = Optimiser(parameters, algorithm=name, options=quick_options(name), seed=2)
    told = []
    for _ in range(9):
        (asked,) = optimiser.ask(held={"c": "y"})
        told.append(asked.parameters["n"])
        optimiser.tell(asked.trial, -abs(asked.parameters["n"] - 4.0))
        assert asked.parameters["c"] == "y"
    assert sorted(told[:6]) == [1, 2, 3, 4, 5, 6]
    # All of it runs at once, and more; the rest of the domain is as it was.
    assert {one.parameters["c"] for one in optimiser.ask(8, held={"c": "y"})} == {"y"}
    elsewhere = [dict(one.parameters) for one in optimiser.ask(12)]
    assert {one["c"] for one in elsewhere} == {"x", "z"}


@pytest.mark.parametrize("name", HOLDING)
def test_where_everything_is_held_that_point_is_asked_for(name: str) -> None:
    optimiser = Optimiser(CONTINUOUS, algorithm=name, options=quick_options(name), seed=3)
    everything = {"a": 0.25, "b": 1.5, "c": 0.5}
    for number in range(7):
        held = everything if number % 2 else None
        (asked,) = optimiser.ask(held=held)
        if held:
            assert asked.parameters == everything
        optimiser.tell(asked.trial, value(asked.parameters))


@pytest.mark.parametrize("name", OTHERS)
def test_an_algorithm_that_cannot_says_so_and_names_others(name: str) -> None:
    optimiser = Optimiser(CONTINUOUS, algorithm=name, options=quick_options(name))
    with pytest.raises(UsageError) as caught:
        optimiser.ask(held={"a": 0.5})
    assert "expected an algorithm that holds parameters (`add-gp-ucb`, `add-mes`, `auto`" in str(caught.value)
    assert f"got `{name}`" in str(caught.value)
    assert optimiser.pending == ()


def test_those_that_hold_them() -> None:
    additive = "add-gp-ucb add-mes dec-hbo dumbo"
    models = "auto bandit-bo egp-ts exp3-bo explore gp-ei gp-ts gp-ts-bayes gp-ucb line-bo ms-ucb rembo"
    assert {*additive.split(), *models.split(), "random", "sobol"} == set(HOLDING) & set(registry.BUILT_IN)
