"""Where values cross a threshold, whatever there is to choose, told, failing and under way."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space

SPACES = {
    "numbers within a constraint": Space.from_description(
        {"a": (0.0, 1.0), "b": (0.0, 1.0)}, ["a + b <= 1.2"]
    ),
    "a choice, whole numbers and one that does not always count": Space.from_description(
        {
            "kind": {"type": "choice", "values": ["x", "y", "z"]},
            "n": {"type": "int", "bounds": [0, 12]},
            "c": {"type": "float", "bounds": [0, 1], "when": {"kind": ["x", "y"]}},
        }
    ),
}


def problem(name: str, noise: Noise) -> Problem:
    return Problem(SPACES[name].domain, seed=5, noise=noise, parallel=3, start_points=5, threshold=0.9)


@pytest.mark.parametrize(
    ("name", "noise"),
    [(name, noise) for name, noise in zip(SPACES, (Noise("known", 0.0), Noise()), strict=True)],
)
def test_whatever_is_told_fails_and_is_under_way(name: str, noise: Noise) -> None:
    told = problem(name, noise)
    domain, rng = told.domain, np.random.default_rng(2)
    search, again = registry.build("auto", told), registry.build("explore", told)
    under_way: dict[int, np.ndarray] = {}
    tried, following = set[bytes](), 1
    for ask in range(1, 9):
        for one in (search, again):
            bring_up_to_date(one)
        pending = list(under_way.values())
        suggestions = search.ask(2, pending, AskKey(ask, following))
        same = again.ask(2, pending, AskKey(ask, following))
        assert all((one.point == other.point).all() for one, other in zip(suggestions, same, strict=True))
        for suggestion in suggestions:
            point = suggestion.point
            assert domain.feasible(point[None, :])[0]
            assert (domain.snap(point) == point).all()
            assert point.tobytes() not in tried
            tried.add(point.tobytes())
            under_way[following] = point
            following += 1
        finished = next(iter(under_way))
        point = under_way.pop(finished)
        value = None if finished == 3 else float(point.sum() + 0.1 * rng.standard_normal())
        for one in (search, again):
            one.tell([Observation(finished, point, value)])
    found = search.insight().crossing
    assert found is not None
    assert 0.0 <= found.low <= found.above <= found.high <= 1.0


def test_other_algorithms_are_refused_with_what_to_do() -> None:
    for name in ("random", "turbo", "sobol", "gp-ei"):
        with pytest.raises(SpecError, match="leave `threshold` out"):
            registry.build(name, problem("numbers within a constraint", Noise()))
