"""Every algorithm either keeps to constraints, however it is asked, or is refused where there are some."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from asked_and_told import by_workers_that_do_not_wait, one_at_a_time
from conforming import ALIKE, NAMES
from quick_options import quick_options

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.python_interface.optimiser import Optimiser, Plan

KEEPING = tuple(name for name in NAMES if registry.options(name).keeps_constraints)
OTHERS = tuple(name for name in NAMES if name not in KEEPING)

CONTINUOUS = {"a": (0.0, 1.0), "b": (0.0, 1.0), "c": (0.0, 2.0)}
MIXED = {
    "rate": {"type": "float", "bounds": [1e-6, 1e-1], "scale": "log"},
    "neurons": {"type": "int", "bounds": [2, 100]},
    "many": {"type": "int", "bounds": [1, 50_000], "scale": "log"},
    "activation": {"type": "choice", "values": ["relu", "tanh"]},
    "layers": {"type": "choice", "values": [1, 2, 4]},
    "dropout": {"type": "float", "bounds": [0, 0.5], "step": 0.1},
    "heads": {"type": "ordered", "values": [1, 2, 4, 8, 16]},
}
SPACES = {
    "continuous": (CONTINUOUS, ["a + b + c <= 1", "a * b < c"]),
    "mixed": (
        MIXED,
        [
            "layers * neurons <= 120",
            "rate * many <= 1",
            "dropout * heads <= 1.6",
            'activation != "tanh" or rate <= 1e-3',
            'activation == "tanh" or layers != 4 or heads in (1, 2)',
        ],
    ),
    "thin": (CONTINUOUS, ["0.999 <= a + b + c <= 1"]),
    "few": (
        {name: {"type": "float", "bounds": [0, 1], "least": 0.05} for name in "abcd"},
        ["count(a, b, c, d) <= 2", "a + b + c + d <= 1.5"],
    ),
}


@pytest.fixture(params=KEEPING)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[name for name in KEEPING if name not in ALIKE])
def distinct_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def begun(name: str, space: str, **plan: int) -> Optimiser:
    parameters, constraints = SPACES[space]
    return Optimiser(
        parameters,
        algorithm=name,
        # What is asked for after a second refit is asked for soon.
        options=quick_options(name, start_points=3, refit_every=2),
        constraints=constraints,
        plan=Plan(**plan),
        seed=1,
    )


def numbers_of(parameters: dict) -> list[float]:
    return [v if isinstance(v, int | float) else float(len(v)) for v in parameters.values()]


def value(parameters: dict) -> float:
    return -sum((math.log1p(abs(n)) - 1.0) ** 2 for n in numbers_of(parameters))


@functools.cache
def sequential(name: str, space: str) -> list[dict]:
    """What it asks for where each is told before the next: past its first refit and the second."""
    return one_at_a_time(begun(name, space), value, 6)


def check(space: str, told: list[dict]) -> None:
    described = Space.from_description(*SPACES[space])
    for parameters in told:
        assert not described.broken_by(parameters), parameters
    points = [np.round(described.encode(p), 9).tobytes() for p in told]
    assert len(set(points)) == len(points)


# Without results from elsewhere; among those, one at a time goes through the continuous space below.
@pytest.mark.parametrize("space", ["mixed", "thin"])
def test_one_at_a_time_every_point_satisfies_them_and_none_is_repeated(name: str, space: str) -> None:
    check(space, sequential(name, space))


# One of those that maximise alike: they move among subsets by the domain's own means.
@pytest.mark.parametrize("name", ["auto", "egp-ts", "gp-ei", "line-bo", "ms-ucb", "random", "turbo"])
def test_only_so_many_are_used_and_not_always_the_same(name: str) -> None:
    told = one_at_a_time(begun(name, "few"), value, 6)
    check("few", told)
    assert len({tuple(number != 0 for number in parameters.values()) for parameters in told}) > 1


def test_batches_and_workers_that_do_not_wait_get_points_that_satisfy_them(distinct_name: str) -> None:
    # In the mixed space, where there are fewer points to tell from those that run.
    check("mixed", by_workers_that_do_not_wait(begun(distinct_name, "mixed", parallel=4), value))


def test_results_from_where_they_do_not_hold_are_learned_from_and_not_suggested(distinct_name: str) -> None:
    optimiser = begun(distinct_name, "continuous")
    rng = np.random.default_rng(0)
    for a, b, c in rng.random((8, 3)):
        # All of them are better than what is allowed.
        optimiser.learn({"a": 0.5 + a / 2, "b": 0.5 + b / 2, "c": 2 * c}, 10.0 + a)
    check("continuous", one_at_a_time(optimiser, value, 2))
    assert optimiser.best().trial is not None


def test_a_finite_space_is_used_up_before_anything_is_repeated(distinct_name: str) -> None:
    parameters = {
        "n": {"type": "int", "bounds": [1, 6]},
        "m": {"type": "int", "bounds": [1, 6]},
        "c": {"type": "choice", "values": ["x", "y"]},
    }
    space = Space.from_description(parameters, ["n + m <= 4"])
    problem = Problem(space.domain, seed=2)
    algorithm = registry.build(distinct_name, problem, quick_options(distinct_name))
    points = []
    for trial in range(int(space.domain.size) + 2):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        assert not space.broken_by(space.decode(suggestion.point))
        points.append(suggestion.point.tobytes())
        algorithm.tell([Observation(trial, suggestion.point, -float(np.sum(suggestion.point)))])
    assert len(set(points)) == space.domain.size == 12


def test_the_same_seed_suggests_the_same(distinct_name: str) -> None:
    # The start design, and two by the model.
    assert one_at_a_time(begun(distinct_name, "mixed"), value, 5) == sequential(distinct_name, "mixed")[:5]


@pytest.mark.parametrize("name", OTHERS)
def test_an_algorithm_that_does_not_keep_to_them_is_refused_and_others_are_named(name: str) -> None:
    space = Space.from_description(*SPACES["continuous"])
    with pytest.raises(SpecError) as caught:
        registry.build(name, Problem(space.domain))
    assert "expected an algorithm that keeps to constraints (`add-gp-ucb`, `add-mes`, `auto`" in str(
        caught.value
    )
    assert f"got `{name}`" in str(caught.value)


def test_those_that_keep_to_them() -> None:
    additive = "add-gp-ucb add-mes"
    others = "auto bandit-bo egp-ts gp-ei gp-ts gp-ts-bayes gp-ucb line-bo ms-ucb random sobol turbo"
    assert {*additive.split(), *others.split()} <= set(KEEPING)
