"""A search by derivatives keeps the protocol of algorithms, wherever it searches and whatever runs."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.parameters.space import Space

NUMBERS = {"a": (0.0, 1.0), "b": (0.0, 1.0)}
SPACES = {
    "numbers": Space.from_description(NUMBERS),
    "a tie": Space.from_description(NUMBERS, ["a + b <= 1.2"]),
    "conditions": Space.from_description(
        {
            "a": (0.0, 1.0),
            "kind": {"type": "choice", "values": ["plain", "fine"]},
            "c": {"type": "float", "bounds": [1.0, 9.0], "when": {"kind": "fine"}},
        }
    ),
}


def observed(trial: int, point: np.ndarray, constrained: bool) -> Observation:
    slopes = np.full(len(point), np.nan)
    slopes[0] = -2.0 * (point[0] - 0.3)
    value = -((point[0] - 0.3) ** 2) - 0.1 * point[-1]
    slacks = np.array([0.8 - point[0]]) if constrained else None
    return Observation(trial, point, None if trial == 2 else value, derivatives=slopes, slacks=slacks)


@pytest.mark.parametrize(
    ("name", "constrained"), [("numbers", False), ("numbers", True), ("a tie", False), ("conditions", True)]
)
def test_what_is_asked_may_be_tried_is_new_and_the_same_however_results_arrive(
    name: str, constrained: bool
) -> None:
    domain = SPACES[name].domain
    problem = Problem(
        domain,
        seed=3,
        noise=Noise("known", 0.0),
        parallel=2,
        derivatives=(0,),
        outcome_constraints=int(constrained),
    )
    search, results, asked = registry.build("auto", problem), list[Observation](), list[np.ndarray]()
    for ask in range(1, 5):
        running = asked[-1:]
        suggestions = search.ask(2, running, AskKey(ask, len(asked) + 1))
        for suggestion in suggestions:
            assert domain.feasible(suggestion.point[None, :])[0]
            assert not any((suggestion.point == other).all() for other in asked)
            asked.append(suggestion.point)
        for point in [*running, suggestions[0].point]:
            results.append(observed(len(results) + 1, point, constrained))
            search.tell(results[-1:])
    again = registry.build("auto", problem)
    again.tell(results)
    key = AskKey(9, 20, domain.holding({0: float(asked[0][0])}) if name == "numbers" else None)
    once, twice = search.ask(1, asked[-1:], key), again.ask(1, asked[-1:], key)
    assert [one.point.tolist() for one in once] == [one.point.tolist() for one in twice]
    assert again.insight() == search.insight()
