"""A search by outcomes keeps the protocol of algorithms, wherever it may search and whatever is under way."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.computed_objective import Misfit, of_formula
from orchestrator.fit_targets import Target
from orchestrator.parameters.space import Space
from orchestrator.values.candidates import Candidates

NUMBERS = {"a": (0.0, 1.0), "b": (0.0, 1.0)}
SPACES = {
    "numbers": Space.from_description(NUMBERS),
    "a tie": Space.from_description(NUMBERS, ["a + b <= 1.2"]),
    "a sum": Space.from_description({**NUMBERS, "rest": {"type": "computed", "value": "1 - a - b"}}),
    "conditions": Space.from_description(
        {
            "a": (0.0, 1.0),
            "kind": {"type": "choice", "values": ["plain", "fine"]},
            "n": {"type": "int", "bounds": [1, 9], "when": {"kind": "fine"}},
        }
    ),
    "rows": Space.from_description(
        NUMBERS, (), Candidates.of({"a": [k / 12 for k in range(12)], "b": [0.1, 0.7, 0.3] * 4})
    ),
}


def outcomes_at(space: Space, point: np.ndarray) -> np.ndarray:
    told = space.decode(point)
    return np.array([told["a"] * 2.0, np.sin(3.0 * told["a"]) + told.get("b", 0.1 * told.get("n", 0))])


def composed(name: str, algorithm: str) -> KnownFunction:
    space = SPACES[name]
    if algorithm in registry.OF_A_FIT:
        targets = {"y": Target(0.7, 0.1), "z": Target(0.9, 0.1)}
        return Misfit(targets, -1.0, space.domain.dimension)
    text = "y * z - 0.1 * rest" if name == "a sum" else "y * z - 0.1 * a"
    return of_formula(text, ["y", "z"], space, -1.0)


@pytest.mark.parametrize("algorithm", ["auto", *registry.OF_A_FIT])
@pytest.mark.parametrize("name", sorted(SPACES))
def test_what_is_asked_may_be_tried_is_new_and_the_same_however_results_arrive(
    name: str, algorithm: str
) -> None:
    space, formula = SPACES[name], composed(name, algorithm)
    problem = Problem(space.domain, seed=3, noise=Noise("known", 0.0), parallel=2, composite=formula)
    search, results = registry.build(algorithm, problem), list[Observation]()
    asked: list[np.ndarray] = []
    for ask in range(1, 5):
        running = asked[-1:]
        suggestions = search.ask(2, running, AskKey(ask, len(asked) + 1))
        for suggestion in suggestions:
            assert space.domain.feasible(suggestion.point[None, :])[0]
            assert not any((suggestion.point == other).all() for other in asked)
            asked.append(suggestion.point)
        for point in [*running, suggestions[0].point]:
            outcomes = outcomes_at(space, point)
            value = float(formula.values(outcomes[None, None], point[None])[0, 0])
            results.append(Observation(len(results) + 1, point, value, outcomes=outcomes))
            search.tell(results[-1:])
    again = registry.build(algorithm, problem)
    again.tell(results)
    key = AskKey(9, 20)
    once, twice = search.ask(1, asked[-1:], key), again.ask(1, asked[-1:], key)
    assert [one.point.tolist() for one in once] == [one.point.tolist() for one in twice]
    assert again.insight() == search.insight()
