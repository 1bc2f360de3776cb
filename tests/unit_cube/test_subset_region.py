"""Domains of which only so many coordinates may be used: what is drawn, moved in, and next to a point."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from orchestrator.errors import SpecError
from orchestrator.maximisers.boxes.ties_in_box import TiesInBox
from orchestrator.maximisers.boxes.within_box import Box
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import FINEST
from orchestrator.unit_cube.free_coordinates import PARTS_OF_A_STEP
from orchestrator.unit_cube.ties_beside_subsets import TiesBesideSubsets

TEN = tuple("abcdefghij")
SIX = TEN[:6]


def each(names: tuple[str, ...], **more: Any) -> dict[str, Any]:
    return {name: {"type": "float", "bounds": [0, 60], **more} for name in names}


def total(names: tuple[str, ...]) -> str:
    return f"{' + '.join(names)} == 100"


SPACES: Mapping[str, tuple[Mapping[str, Any], list[str]]] = {
    "three of ten": (each(TEN), [f"count({', '.join(TEN)}) <= 3"]),
    "three of ten in a solvent": (
        {"solvent": {"type": "float", "bounds": [20, 100]}, **each(TEN)},
        [total(("solvent", *TEN)), f"count({', '.join(TEN)}) <= 3"],
    ),
    "four of ten and nothing else": (each(TEN), [total(TEN), f"count({', '.join(TEN)}) <= 4"]),
    "none of a trace": (
        {"solvent": (0.0, 100.0), **each(SIX, least=2)},
        [total(("solvent", *SIX)), f"1 <= count({', '.join(SIX)}) <= 3"],
    ),
    "two groups that overlap": (each(SIX), ["count(a, b, c, d) <= 2", "count(c, d, e, f) <= 1"]),
    "counts of pieces": (
        {name: {"type": "int", "bounds": [0, 90]} for name in SIX[:4]} | {"x": (0.0, 1.0)},
        ["count(a, b, c, d) <= 2", "a + b + c + d <= 100"],
    ),
    "on both sides of 0": (dict.fromkeys(SIX, (-1.0, 1.0)), [f"count({', '.join(SIX)}) <= 2"]),
    "beside what is bent": (each(SIX[:4]), ["count(a, b, c, d) <= 2", "a * b + c * d <= 300"]),
}


@pytest.fixture(params=SPACES)
def space(request: pytest.FixtureRequest) -> Space:
    return space_of(request.param)


@cache
def space_of(which: str) -> Space:
    """Made once: a domain knows its faces from then on."""
    return Space.from_description(*SPACES[which])


def satisfied(space: Space, points: np.ndarray) -> bool:
    """By the values that an evaluator is given, one point at a time."""
    return not any(space.broken_by(space.suggested(point)) for point in points)


def used(space: Space, points: np.ndarray, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    told = [space.decode(point) for point in points]
    return [tuple(name for name in names if one[name] != 0) for one in told]


def test_what_is_drawn_satisfies_the_constraints(space: Space) -> None:
    assert space.domain.sample(0, np.random.default_rng(0)).shape == (0, space.domain.dimension)
    points = space.domain.sample(24, np.random.default_rng(0))
    assert satisfied(space, points)
    assert np.array_equal(space.domain.rounded(points), points)


def test_what_is_moved_in_satisfies_them_and_stays_if_it_did(space: Space) -> None:
    points = np.random.default_rng(1).random((12, space.domain.dimension)) * 1.2 - 0.1
    moved = space.domain.snap(points)
    assert satisfied(space, moved)
    assert np.array_equal(space.domain.snap(moved), moved)


def test_so_do_neighbours_and_some_use_others(space: Space) -> None:
    point = space.domain.sample(1, np.random.default_rng(2))[0]
    beside = space.domain.neighbours(point)
    assert satisfied(space, beside)
    names = tuple(name for name in space.given_names if name not in ("x", "solvent"))
    assert set(used(space, beside, names)) - set(used(space, point[None, :], names))


def test_all_subsets_come_and_not_only_the_largest() -> None:
    space = Space.from_description(each(SIX), ["count(a, b, c, d, e, f) <= 3"])
    drawn = used(space, space.domain.sample(40, np.random.default_rng(3)), SIX)
    rng = np.random.default_rng(4)
    drawn += [one for _ in range(30) for one in used(space, space.domain.sample(40, rng), SIX)]
    assert len(set(drawn)) == 1 + 6 + 15 + 20
    shares = np.bincount([len(one) for one in drawn]) / len(drawn)
    assert shares[0] < 0.15
    assert (shares[1:] > 0.1).all()


def test_what_is_left_out_is_exactly_0_and_the_rest_adds_up() -> None:
    space = space_of("four of ten and nothing else")
    for point in space.domain.sample(20, np.random.default_rng(5)):
        told = [space.suggested(point)[name] for name in TEN]
        assert sum(value != 0 for value in told) <= 4
        assert sum(told) == pytest.approx(100, abs=1e-6)
        assert all(value == 0 or value > 1e-6 for value in told)


def test_a_trace_is_nothing_or_enough() -> None:
    space = space_of("none of a trace")
    points = space.domain.snap(np.random.default_rng(6).random((40, len(SIX))) * 0.1)
    told = [space.decode(point)[name] for point in points for name in SIX]
    assert 0 in told
    assert all(value == 0 or value >= 2 for value in told)


def test_of_two_least_amounts_the_larger_one_counts() -> None:
    space = Space.from_description(each(("a", "b"), least=2), ["6 * count(a) <= a"])
    assert space.domain.ties is not None
    assert space.domain.ties.subsets is not None
    assert space.domain.ties.subsets.leasts == pytest.approx((6 / 60, 2 / 60))


def test_the_largest_amounts_are_kept_where_too_many_are_used() -> None:
    space = space_of("three of ten")
    point = np.array([0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.0, 0.0, 0.05, 0.0])
    assert np.array_equal(space.domain.snap(point), np.where(point > 0.5, point, 0.0))


def test_steps_along_a_face_leave_out_what_is_left_out_and_keep_sums_at_0() -> None:
    space = space_of("four of ten and nothing else")
    domain = space.domain
    points = domain.sample(40, np.random.default_rng(7))
    points = points[[space.decode(point)["a"] == 0 for point in points]]
    assert domain.faces is not None
    steps = domain.faces.along(points, np.random.default_rng(8).standard_normal(points.shape))
    assert (steps[points == 0] == 0).all()
    assert np.abs(steps.sum(axis=1)).max() < 1e-12
    assert np.abs(steps).max() > 0.1


def test_steps_along_a_face_keep_sums_at_0_that_are_of_the_same_coordinates() -> None:
    names = "abcdefgh"
    totals = ["a + b + c + d + e == 100", "d + e + f + g + h == 100"]
    space = Space.from_description(
        {name: {"type": "float", "bounds": [0, 100]} for name in names},
        [*totals, f"count({', '.join(names)}) <= 5"],
    )
    points = space.domain.sample(30, np.random.default_rng(0))
    assert space.domain.faces is not None
    steps = space.domain.faces.along(points, np.random.default_rng(1).standard_normal(points.shape))
    for point, end in zip(points, points + 1e-6 * steps, strict=True):
        before, after = space.decode(point), space.decode(end)
        assert max(abs(after[name]) for name in names if before[name] == 0) < 1e-9


def test_a_part_where_one_is_held_has_it_so() -> None:
    space = space_of("three of ten in a solvent")
    held = space.domain.holding({0: 0.25, 1: 0.0})
    points = held.sample(30, np.random.default_rng(9))
    assert (points[:, 0] == 0.25).all()
    assert (points[:, 1] == 0.0).all()
    assert satisfied(space, points)


def test_what_no_subset_satisfies_is_refused() -> None:
    space = Space.from_description(each(SIX), [total(SIX), f"count({', '.join(SIX)}) <= 1"])
    with pytest.raises(SpecError, match=r"no point .* `count\(a, b, c, d, e, f\) <= 1`"):
        space.require_feasible_points()


@pytest.mark.parametrize(
    ("description", "constraint", "said"),
    [
        ({"a": (1.0, 2.0), "b": (0.0, 1.0)}, "count(a, b) <= 1", "got `a`, which never is; bounds from 0"),
        (
            {"a": {"type": "float", "bounds": [1, 2], "scale": "log"}, "b": (0.0, 1.0)},
            "count(a, b) <= 1",
            "got `a`, which never is",
        ),
        (
            {"a": {"type": "float", "bounds": [0, 1], "when": "b >= 0.5"}, "b": (0.0, 1.0)},
            "count(a, b) <= 1",
            "got `a`, which does not always count",
        ),
        (
            {"a": {"type": "computed", "value": "b * c", "bounds": [0, 1]}, "b": (0.0, 1.0), "c": (0.0, 1.0)},
            "count(a, b) <= 1",
            "parameter `a`: expected what is computed and counted to be a sum",
        ),
        (
            {"a": {"type": "float", "bounds": [0, 1], "travel": 0.1}, "b": (0.0, 1.0)},
            "count(a, b) <= 1",
            "expected no `travel` beside `least` or constraints that count",
        ),
        (
            {"a": {"type": "float", "bounds": [1, 9], "least": 2}},
            "a <= 8",
            "expected bounds from 0 beside `least`",
        ),
        ({"a": {"type": "float", "bounds": [0, 9], "least": 9}}, "a <= 8", "a number above 0 and below 9"),
    ],
)
def test_what_cannot_be_counted_is_refused(description: Any, constraint: str, said: str) -> None:
    with pytest.raises(SpecError) as refused:
        Space.from_description(description, [constraint])
    assert said in str(refused.value)


def test_such_a_space_travels_between_processes() -> None:
    space = pickle.loads(pickle.dumps(space_of("none of a trace")))
    first, second = (
        one.domain.sample(9, np.random.default_rng(0)) for one in (space, space_of("none of a trace"))
    )
    assert np.array_equal(first, second)


def test_a_domain_without_counts_has_no_faces() -> None:
    assert Domain.continuous(2).faces is None
    assert Space.from_description({"a": (0.0, 1.0), "b": (0.0, 1.0)}, ["a + b <= 1"]).domain.faces is None


def test_thirty_of_which_five_are_used_are_drawn_at_once() -> None:
    names = tuple(f"x{i}" for i in range(30))
    space = Space.from_description(
        {"solvent": (0.0, 100.0), **each(names)},
        [total(("solvent", *names)), f"count({', '.join(names)}) <= 5"],
    )
    points = space.domain.sample(20, np.random.default_rng(10))
    assert satisfied(space, points)
    assert len({len(one) for one in used(space, points, names)}) > 1


def test_points_of_many_subsets_are_moved_to_where_ties_hold_each_along_its_own() -> None:
    domain = space_of("beside what is bent").domain
    assert domain.ties is not None
    assert domain.ties.subsets is not None
    beside = TiesBesideSubsets(domain.untied, domain.ties, domain.ties.subsets)
    subsets = np.array([[True, True, False, False], [False, False, True, True], [True, False, True, False]])
    points = np.where(subsets, 0.9, 0.0)
    assert beside.hold(points).tolist() == [False, False, True]
    moved = beside.nearer(points, subsets)
    assert domain.feasible(moved).all()
    assert np.array_equal(moved > 0.0, subsets)
    assert np.array_equal(moved[2], points[2])


@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        ({"type": "int", "bounds": [0, 49]}, 50),
        ({"type": "int", "bounds": [0, 10**9]}, 10**9),
        ({"type": "float", "bounds": [0, 10], "step": 0.1}, 101),
        ({"type": "float", "bounds": [0, 1]}, None),
    ],
)
def test_the_edge_of_what_holds_is_looked_for_as_finely_as_there_are_steps(
    kind: dict[str, Any], steps: int | None
) -> None:
    space = Space.from_description(dict.fromkeys("abc", kind), ["count(a, b, c) <= 2", "a * b <= 2 * c + 9"])
    faces = space.domain.faces
    assert faces is not None
    face = faces.face(np.array([True, True, False]))
    assert face.finest == (pytest.approx(1 / steps / PARTS_OF_A_STEP, rel=0.03) if steps else FINEST)


def test_in_a_box_about_a_point_what_lies_far_from_0_is_always_used() -> None:
    names = tuple(f"x{i}" for i in range(16))
    space = Space.from_description(each(names, least=2), [f"count({', '.join(names)}) <= 3"])
    centre = np.where(np.isin(np.arange(16), (2, 5, 11)), 0.5, 0.0)
    box = Box.about(space.domain, centre, np.full(16, 0.05))
    ties = TiesInBox(space.domain, box.lower, box.width, np.empty((0, 16)))
    inner = Domain((Coordinate(),) * 16, ties)
    points = box.shrunk(inner.sample(20, np.random.default_rng(11)))
    assert satisfied(space, points)
    assert used(space, points, names) == [("x2", "x5", "x11")] * 20
