"""Constraints that hold for some values of choices alone, as spaces have them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.values.candidates import Candidates

SOLVERS: dict[str, Any] = {
    "solver": {"type": "choice", "values": ["direct", "cg", "gmres"]},
    "mode": {"type": "choice", "values": ["safe", "fast"]},
    "size": (0.0, 10_000.0),
    "coat": {"type": "fixed", "value": "matt"},
}
SMALL = 'solver != "direct" or size <= 2000'
INSIDE = {"solver": "direct", "mode": "safe", "size": 2000.0}


def drawn(space: Space, count: int = 300) -> list[dict[str, Any]]:
    return [space.decode(point) for point in space.domain.sample(count, np.random.default_rng(0))]


def test_it_asks_for_nothing_where_the_choice_has_another_value() -> None:
    space = Space.from_description(SOLVERS, [SMALL])
    assert space.broken_by(INSIDE) == ()
    assert space.broken_by({**INSIDE, "size": 2000.1}) == (SMALL,)
    assert space.broken_by({**INSIDE, "size": 9000.0, "solver": "cg"}) == ()
    assert space.required == (SMALL,)
    points = np.array([space.encode({**INSIDE, "solver": s, "size": 7000.0}) for s in ("direct", "cg")])
    assert space.ties is not None
    assert space.ties.gaps(points)[:, 0] == pytest.approx([5000.0, -1.0])
    assert space.ties.named.tolist() == [True, False, True]


def test_a_point_is_moved_to_where_it_holds_and_keeps_its_value() -> None:
    space = Space.from_description(SOLVERS, [SMALL])
    points = np.array([space.encode({**INSIDE, "solver": s, "size": 7000.0}) for s in ("direct", "cg")])
    moved = [space.decode(point) for point in space.domain.snap(points)]
    assert [one["solver"] for one in moved] == ["direct", "cg"]
    assert [one["size"] for one in moved] == pytest.approx([2000.0, 7000.0], abs=0.1)
    assert moved[0]["size"] <= 2000.0


def test_a_value_that_next_to_nothing_is_left_for_is_still_come_to() -> None:
    described = {**SOLVERS, "size": {"type": "int", "bounds": [1, 1_000_000]}}
    space = Space.from_description(described, ['solver != "direct" or size <= 2000'])
    assert "direct" not in {one["solver"] for one in drawn(space)}
    points = space.domain.untied.sample(60, np.random.default_rng(1))
    moved = [space.decode(point) for point in space.domain.snap(points)]
    assert {one["size"] <= 2000 for one in moved if one["solver"] == "direct"} == {True}


def test_of_numbers_that_are_asked_for_the_others_are_not_gone_through() -> None:
    described = {
        **SOLVERS,
        "size": {"type": "int", "bounds": [1, 1_000_000]},
        "m": {"type": "int", "bounds": [1, 2000]},
    }
    space = Space.from_description(
        described, ['solver != "direct" or size <= 2000', "m != 7 or size <= 9000"]
    )
    points = space.domain.untied.sample(60, np.random.default_rng(1))
    assert "direct" in {space.decode(point)["solver"] for point in space.domain.snap(points)}
    many = {"m": {"type": "choice", "values": list(range(200))}, "x": (0.0, 1.0)}
    thin = Space.from_description(many, ["m != 7 or 0.5 < x < 0.5001"]).ties
    assert thin is not None
    assert len(thin.known)
    space = Space.from_description(described, ["size in (5, 600)"])
    assert {one["size"] for one in drawn(space)} == {5, 600}


def test_combinations_of_choices_alone_are_left_out() -> None:
    text = 'solver != "direct" or mode == "safe"'
    space = Space.from_description({**SOLVERS, "size": {"type": "int", "bounds": [1, 2]}}, [text])
    assert space.domain.size == (3 * 2 - 1) * 2
    assert {(one["solver"], one["mode"]) for one in drawn(space)} == {
        (solver, mode) for solver in ("direct", "cg", "gmres") for mode in ("safe", "fast")
    } - {("direct", "fast")}


@pytest.mark.parametrize(
    ("text", "broken", "kept"),
    [
        ("on == true or x <= 0.2", {"on": False}, {"on": True}),
        ("levels not in (2, 4) or x <= 0.2", {"levels": 4}, {"levels": 1}),
        ("levels >= 2 or x <= 0.2", {"levels": 1}, {"levels": 2}),
        ("n != 3 or x <= 0.2", {"n": 3}, {"n": 4}),
        ("twice < 1 or levels == 1", {"levels": 2, "x": 0.5}, {"levels": 1, "x": 0.5}),
        ("valve == 0.5 or 0.3 < x < y", {"valve": 0.25}, {"valve": 0.5}),
        ('coat == "matt" or x <= 0.2', {}, {"x": 0.2}),
        ('coat != "gloss" or x <= 0.2', {"x": 0.5}, {"x": 0.1}),
    ],
)
def test_the_condition_is_of_whatever_has_values(text: str, broken: dict, kept: dict) -> None:
    coat = "gloss" if broken == {} or "gloss" in text else "matt"
    space = Space.from_description(
        {
            "x": (0.0, 1.0),
            "y": (0.0, 1.0),
            "n": {"type": "int", "bounds": [1, 9]},
            "on": {"type": "choice", "values": [True, False]},
            "levels": {"type": "ordered", "values": [1, 2, 4]},
            "valve": {"type": "float", "bounds": [0, 1], "step": 0.25},
            "twice": {"type": "computed", "value": "2 * x"},
            "coat": {"type": "fixed", "value": coat},
        },
        [text],
    )
    point = {"x": 0.9, "y": 0.1, "n": 1, "on": False, "levels": 1, "valve": 0.0}
    assert space.broken_by({**point, **broken}) == (text,)
    assert space.broken_by({**point, **kept}) == ()


def test_where_what_it_names_does_not_count_it_asks_for_nothing() -> None:
    when = {"type": "float", "bounds": [0, 1], "when": {"solver": ["cg", "gmres"]}}
    space = Space.from_description({**SOLVERS, "restart": when}, ['mode != "fast" or restart <= 0.5'])
    point = {"mode": "fast", "size": 1.0}
    assert space.broken_by({**point, "solver": "cg", "restart": 0.6}) != ()
    assert space.broken_by({**point, "solver": "direct"}) == ()


def test_shares_that_add_up_are_spread_evenly_beside_it() -> None:
    shares = {f"s{i}": (0.0, 1.0) for i in range(6)}
    total = f"{' + '.join(shares)} == 1"
    space = Space.from_description({**SOLVERS, **shares}, [total, 'mode != "fast" or s0 <= 0.1'])
    assert space.ties is not None
    assert space.ties.known_evenly
    assert not any(space.broken_by(one) for one in drawn(space, 100))


def test_candidates_that_do_not_keep_to_it_are_left_out() -> None:
    rows = Candidates.of(
        {"solver": ["direct", "direct", "cg", "cg"], "size": [1000.0, 3000.0, 1000.0, 3000.0]}
    )
    space = Space.from_description({"solver": SOLVERS["solver"], "size": (0.0, 1e4)}, [SMALL], rows)
    assert {(one["solver"], one["size"]) for one in drawn(space)} == {
        ("direct", 1000.0),
        ("cg", 1000.0),
        ("cg", 3000.0),
    }


@pytest.mark.parametrize("text", ["x <= 0.3", 'kind != "a" or x <= 0.3', "x < 0.4"])
def test_a_candidate_on_the_edge_is_one_as_it_is_listed(text: str) -> None:
    rows = Candidates.of({"kind": ["a"] * 5, "x": [0.0, 0.1, 0.2, 0.3, 0.4]})
    kind = {"type": "choice", "values": ["a", "b"]}
    space = Space.from_description({"kind": kind, "x": (0.0, 1.0)}, [text], rows)
    assert {one["x"] for one in drawn(space)} == {0.0, 0.1, 0.2, 0.3}


def test_that_no_value_is_left_is_found_out() -> None:
    space = Space.from_description(SOLVERS, ['solver != "cg"', 'solver == "cg" or size < 0'])
    with pytest.raises(
        SpecError, match='no point within the bounds was found that satisfies `solver != "cg"`'
    ):
        space.require_feasible_points()


def test_a_space_with_it_is_pickled_after_it_was_drawn_from() -> None:
    space = Space.from_description(SOLVERS, [SMALL, 'solver != "cg" or mode == "safe"'])
    first = drawn(space, 9)
    assert drawn(pickle.loads(pickle.dumps(space)), 9) == first
    assert pickle.loads(pickle.dumps(space.ties)) == space.ties


def test_where_the_choice_is_held_points_keep_to_what_holds_for_it() -> None:
    space = Space.from_description(SOLVERS, [SMALL, 'solver == "cg" or mode == "safe"'])
    held = space.domain.holding({0: space.encode(INSIDE)[0]})
    found = [space.decode(point) for point in held.sample(50, np.random.default_rng(0))]
    assert {(one["solver"], one["mode"]) for one in found} == {("direct", "safe")}
    assert 1000.0 < max(one["size"] for one in found) <= 2000.0
