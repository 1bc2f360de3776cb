"""Where values cross a threshold, whatever there is to choose, told, failing and under way."""

from __future__ import annotations

import pytest
from searched_twice import points_of_both

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Noise, Problem
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
    search, again = (registry.build(one, told, {"refit_every": 3}) for one in ("auto", "explore"))
    points_of_both((search, again), told.domain, asks=7)
    found = search.insight().crossing
    assert found is not None
    assert 0.0 <= found.low <= found.above <= found.high <= 1.0


def test_other_algorithms_are_refused_with_what_to_do() -> None:
    for name in ("random", "turbo", "sobol", "gp-ei"):
        with pytest.raises(SpecError, match="leave `threshold` out"):
            registry.build(name, problem("numbers within a constraint", Noise()))
