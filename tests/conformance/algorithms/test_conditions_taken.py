"""Every algorithm either makes sense of parameters that do not always count, or is refused."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from asked_and_told import by_workers_that_do_not_wait, one_at_a_time
from conforming import NAMES
from quick_options import quick_options

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.python_interface.optimiser import Optimiser, Plan

TAKING = tuple(name for name in NAMES if registry.options(name).takes_conditions)
OTHERS = tuple(name for name in NAMES if name not in TAKING)

SOLVERS = {
    "solver": {"type": "choice", "values": ["direct", "cg", "gmres"]},
    "tolerance": {
        "type": "float",
        "bounds": [1e-8, 1e-2],
        "scale": "log",
        "when": {"solver": ["cg", "gmres"]},
    },
    "restart": {"type": "int", "bounds": [5, 100], "when": {"solver": "gmres"}},
    "levels": {"type": "int", "bounds": [1, 4]},
    "smoother": {"type": "choice", "values": ["jacobi", "ilu"], "when": "levels >= 2"},
    "weight": {"type": "float", "bounds": [0.1, 1.9], "when": {"smoother": "jacobi"}},
    "mesh": {"type": "ordered", "values": ["coarse", "medium", "fine"]},
    "blocks": {"type": "int", "bounds": [8, 64], "step": 8, "when": {"mesh": ["medium", "fine"]}},
}
CHOICES = {
    "kind": {"type": "choice", "values": ["a", "b"]},
    "n": {"type": "int", "bounds": [1, 4], "when": {"kind": "a"}},
    "m": {"type": "int", "bounds": [1, 3], "when": "n >= 3"},
}
TIED = {
    "share": {"type": "float", "bounds": [0, 1]},
    "rest": {"type": "float", "bounds": [0, 1], "when": "share < 0.5"},
}


@pytest.fixture(params=TAKING)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def begun(name: str, space: dict, *constraints: str, **plan: int) -> Optimiser:
    return Optimiser(
        space,
        algorithm=name,
        options=quick_options(name, refit_every=2),
        constraints=list(constraints),
        plan=Plan(**plan),
        seed=1,
    )


def value(parameters: Mapping[str, Any]) -> float:
    """What no parameter that does not count can change, for it is not there."""
    total = {"direct": 0.0, "cg": 0.5, "gmres": 1.0}.get(parameters.get("solver", ""), 0.3)
    total -= sum((0.1 * v - 0.3) ** 2 for v in parameters.values() if isinstance(v, int | float))
    return total + (0.2 if parameters.get("smoother") == "ilu" else 0.0)


@functools.cache
def sequential(name: str) -> list[dict]:
    """What it asks for where each is told before the next."""
    return one_at_a_time(begun(name, SOLVERS), value, 8)


def check(space: dict, told: list[dict], *constraints: str) -> None:
    """Each has what counts and nothing else, and no two are the same."""
    described = Space.from_description(space, list(constraints))
    for parameters in told:
        assert parameters == described.decode(described.encode(parameters))
        assert not described.broken_by(parameters), parameters
    assert len({tuple(sorted(p.items())) for p in told}) == len(told)


def test_one_at_a_time_each_point_has_what_counts_and_none_is_repeated(name: str) -> None:
    told = sequential(name)
    check(SOLVERS, told)
    assert len({frozenset(parameters) for parameters in told}) > 3


def test_batches_and_workers_that_do_not_wait_get_points_with_what_counts(name: str) -> None:
    check(SOLVERS, by_workers_that_do_not_wait(begun(name, SOLVERS, parallel=4), value))


def test_a_constraint_asks_for_nothing_where_a_parameter_of_it_does_not_count(name: str) -> None:
    if not registry.options(name).keeps_constraints:
        pytest.skip("it does not keep to constraints")
    constraints = ["share + rest <= 0.6", "rest >= 0.3"]
    told = one_at_a_time(begun(name, TIED, *constraints), lambda parameters: sum(parameters.values()), 8)
    check(TIED, told, *constraints)
    assert any("rest" not in parameters for parameters in told)


def test_a_finite_space_is_used_up_before_anything_is_repeated(name: str) -> None:
    space = Space.from_description(CHOICES)
    algorithm = registry.build(name, Problem(space.domain, seed=2), quick_options(name))
    points = []
    for trial in range(int(space.domain.size) + 2):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        points.append(suggestion.point.tobytes())
        algorithm.tell([Observation(trial, suggestion.point, -float(np.sum(suggestion.point)))])
    # Of b one; of a two without m, and two with three of m each.
    assert len(set(points)) == space.domain.size == 1 + 2 + 2 * 3


def test_what_does_not_count_is_believed_to_change_nothing(name: str) -> None:
    optimiser = begun(name, SOLVERS)
    one_at_a_time(optimiser, value, 6)
    told = {"solver": "direct", "levels": 1, "mesh": "coarse"}
    optimiser.learn({**told, "tolerance": 1e-3, "restart": 7, "smoother": "ilu"}, 5.0)
    assert dict(optimiser.best().parameters) == told


def test_the_same_seed_suggests_the_same(name: str) -> None:
    # The start design, and two by the model.
    assert one_at_a_time(begun(name, SOLVERS), value, 6) == sequential(name)[:6]


@pytest.mark.parametrize("name", OTHERS)
def test_an_algorithm_that_makes_no_sense_of_them_is_refused_and_others_are_named(name: str) -> None:
    space = Space.from_description(SOLVERS)
    with pytest.raises(SpecError) as caught:
        registry.build(name, Problem(space.domain))
    expected = "expected an algorithm for parameters that do not always count (`auto`, `egp-ts`"
    assert expected in str(caught.value)
    assert f"got `{name}`" in str(caught.value)


def test_those_that_make_sense_of_them() -> None:
    models = "auto egp-ts gp-ei gp-ts gp-ts-bayes gp-ucb turbo"
    assert {*models.split(), "random", "sobol"} <= set(TAKING)
