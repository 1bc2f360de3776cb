"""No trial is asked for that the model does not hold safe, whatever is asked, told and under way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from orchestrator.acquisition.kept_limit import KeptLimit
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.safe.believed_limits import BelievedLimits
from orchestrator.algorithms.safe_search import SafeSearch, SafeSearchOptions
from orchestrator.parameters.space import Space

SPACES = {
    "numbers": Space.from_description({"a": (0.0, 1.0), "b": (0.0, 1.0)}),
    "whole numbers and a choice": Space.from_description(
        {
            "a": (0.0, 1.0),
            "n": {"type": "int", "bounds": [0, 12]},
            "kind": {"type": "choice", "values": ["x", "y", "z"]},
        }
    ),
    "a tie": Space.from_description({"a": (0.0, 1.0), "b": (0.0, 1.0)}, ["a + b <= 1.2"]),
}
LIMITS = (KeptLimit((0, 2), 0.98), KeptLimit((1,), 0.9))


def observed(trial: int, point: np.ndarray, rng: np.random.Generator, noise: float) -> Observation:
    """The slack of an ordinary constraint is the fourth."""
    slacks = np.array([1.0 - point[0], 0.8 - 0.5 * point[0] - 0.4 * point[1], point[0] + 0.5, 0.5 - point[1]])
    told = slacks + noise * rng.standard_normal(4)
    return Observation(
        trial, point, float(point[:2].sum()) + noise * float(rng.standard_normal()), slacks=told
    )


@pytest.mark.parametrize(
    ("name", "noise"), [("numbers", 0.02), ("whole numbers and a choice", 0.0), ("a tie", 0.0)]
)
def test_whatever_is_told_and_under_way(name: str, noise: float) -> None:
    domain, rng = SPACES[name].domain, np.random.default_rng(3)
    problem = Problem(
        domain,
        seed=5,
        noise=Noise() if noise else Noise("known", 0.0),
        parallel=3,
        outcome_constraints=4,
        kept=LIMITS,
    )
    search, history = SafeSearch(problem, SafeSearchOptions()), History(domain, 4)
    tell = _telling(search, history)
    start = domain.snap(np.full(domain.dimension, 0.2))
    tell(observed(1, start, rng, noise))
    under_way: dict[int, np.ndarray] = {}
    following, asked = 2, 0
    for ask in range(1, 3):
        limits = BelievedLimits.of(problem, history)
        assert limits is not None
        suggestions = search.ask(2, list(under_way.values()), AskKey(ask, following))
        for suggestion in suggestions:
            point = suggestion.point[None, :]
            assert limits.keeps(point)[0]
            assert domain.feasible(point)[0]
            assert not any((suggestion.point == other).all() for other in under_way.values())
            told = suggestion.why["kept"]
            assert told[0] >= 0.98
            assert told[1] >= 0.9
            under_way[following] = suggestion.point
            following += 1
        asked += len(suggestions)
        # Of what is under way the newest comes first, and one stays.
        for trial in sorted(under_way, reverse=True)[:-1]:
            tell(observed(trial, under_way.pop(trial), rng, noise))
    assert asked >= 3


def _telling(search: SafeSearch, history: History) -> Callable[[Observation], None]:
    def tell(observation: Observation) -> None:
        search.tell([observation])
        history.tell(observation)

    return tell
