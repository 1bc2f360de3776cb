"""Designs over what varies in use, whatever is asked, told, failing and under way."""

from __future__ import annotations

import pytest
from searched_twice import points_of_both

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Noise, Problem
from orchestrator.errors import SpecError
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.parameters.space import Space
from orchestrator.values.over import Over

WIND = {"type": "float", "bounds": [0, 20], "in_use": {"mean": 8, "deviation": 3}}
AIR = {"type": "choice", "values": ["clean", "icy"], "in_use": {"chances": [0.8, 0.2]}}
SPACES = {
    "numbers": Space.from_description({"a": (0.0, 1.0), "b": (0.0, 1.0), "wind": WIND}, ["a + b <= 1.2"]),
    "a choice and whole numbers": Space.from_description(
        {
            "kind": {"type": "choice", "values": ["x", "y", "z"]},
            "n": {"type": "int", "bounds": [0, 12]},
            "air": AIR,
        }
    ),
}


def problem(name: str, over: Over, noise: Noise) -> Problem:
    space = SPACES[name]
    return Problem(
        space.domain, seed=5, noise=noise, parallel=3, in_use=conditions_in_use(space, over), start_points=5
    )


@pytest.mark.parametrize(
    ("name", "over", "noise"),
    [
        ("numbers", Over(), Noise("known", 0.0)),
        ("a choice and whole numbers", Over(0.3), Noise()),
        ("numbers", Over(each=True), Noise()),
        ("a choice and whole numbers", Over(each=True), Noise("known", 0.0)),
    ],
)
def test_whatever_is_told_fails_and_is_under_way(name: str, over: Over, noise: Noise) -> None:
    told = problem(name, over, noise)
    in_use = told.in_use
    assert in_use is not None
    search, again = registry.build("auto", told), registry.build("auto", told)
    for point in points_of_both((search, again), told.domain, asks=5):
        assert (in_use.points == point[list(in_use.coordinates)]).all(axis=1).any()
    assert (search.insight().believed_best is None) == over.each


def test_other_algorithms_are_refused_with_what_to_do() -> None:
    for name in ("random", "turbo", "explore", "gp-ei"):
        with pytest.raises(SpecError, match="leave `in_use` out"):
            registry.build(name, problem("numbers", Over(), Noise()))
