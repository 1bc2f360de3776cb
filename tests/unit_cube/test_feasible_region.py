"""Spaces whose parameters are tied: what is drawn, moved and changed satisfies every constraint, exactly."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.errors import OptimiserError, SpecError
from orchestrator.parameters import space_constraints
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.subsets import Subsets


def floats(count: int) -> dict[str, tuple[float, float]]:
    return {f"x{i}": (0.0, 1.0) for i in range(count)}


def whole(low: int, high: int, **more: Any) -> dict[str, Any]:
    return {"type": "int", "bounds": [low, high], **more}


SPACES: Mapping[str, tuple[Mapping[str, Any], list[str]]] = {
    "half": (floats(2), ["x0 + x1 <= 1"]),
    "two": (floats(3), ["x0 + x1 + x2 <= 1", "x0 < x1"]),
    "a corner of 1e-5": (floats(6), ["x0 + x1 + x2 + x3 + x4 + x5 <= 0.5"]),
    "a slab of 1e-6": (floats(3), ["0.999999 <= x0 + x1 + x2 <= 1"]),
    "two thin at once": (floats(4), ["0.999999 <= x0 + x1 <= 1", "0.999999 <= 4 * x2 * x3 <= 1"]),
    "a ball of 1e-7": (floats(2), ["(x0 - 0.7)**2 + (x1 - 0.2)**2 <= 1e-7"]),
    "a ring": (floats(2), ["0.24 <= (x0 - 0.5)**2 + (x1 - 0.5)**2 <= 0.25"]),
    "two parts": (floats(2), ["abs(x0 - x1) >= 0.8"]),
    "without derivatives": (floats(5), ["max(x0, x1) + abs(x2 - x3) <= 0.05", "sqrt(x4 - 0.9) < 0.2"]),
    "on scales": (
        {
            "rate": {"type": "float", "bounds": [1e-5, 1.0], "scale": "log"},
            "steps": whole(1, 100_000, scale="log"),
            "width": {"type": "choice", "values": [1, 2, 4]},
            "fixed": {"type": "fixed", "value": 3},
        },
        ["rate * steps <= fixed", "width * steps <= 1000"],
    ),
    "mixed": (
        {
            "n": whole(1, 60),
            "m": whole(1, 60),
            "x": (0.0, 1.0),
            "k": {"type": "choice", "values": ["u", "v"]},
        },
        ["n + m <= 20", "x * n <= 1"],
    ),
    "by value": (
        {**floats(3), "n": whole(1, 60), "k": {"type": "choice", "values": ["u", "v", "w"]}},
        [
            'k != "u" or 0.999999 <= x0 + x1 <= 1',
            'k != "v" or x0 + n <= 9',
            'k != "w" or x1 < 1e-4',
            'k == "u" or n > 40 or x2 <= 0.5',
        ],
    ),
    "gears": ({g: whole(12, 60) for g in "abcd"}, ["abs(a * b / (c * d) - 0.1443) <= 0.0005"]),
    "listed": ({"a": whole(1, 60), "b": whole(1, 60)}, ["a < b", "a * b <= 12"]),
}


@pytest.fixture(params=SPACES)
def space(request: pytest.FixtureRequest) -> Space:
    return Space.from_description(*SPACES[request.param])


def satisfied(space: Space, points: np.ndarray) -> bool:
    """By the values that an evaluator is given, one point at a time."""
    return not any(space.broken_by(space.decode(point)) for point in points)


def test_every_point_drawn_satisfies_the_constraints_and_is_on_its_positions(space: Space) -> None:
    points = space.domain.sample(300, np.random.default_rng(0))
    assert points.shape == (300, space.domain.dimension)
    assert satisfied(space, points)
    assert np.array_equal(space.domain.rounded(points), points)
    assert len(np.unique(points, axis=0)) > (20 if space.domain.size > 100 else 10)


def test_every_point_moved_satisfies_them_and_stays_if_it_did(space: Space) -> None:
    points = np.random.default_rng(1).random((300, space.domain.dimension)) * 1.2 - 0.1
    moved = space.domain.snap(points)
    assert satisfied(space, moved)
    assert np.array_equal(space.domain.snap(moved), moved)
    held = space.domain.feasible(points)
    assert np.array_equal(moved[held], space.domain.rounded(points)[held])
    assert np.array_equal(space.domain.snap(points[0]), moved[0])


@pytest.mark.parametrize("space", ["on scales", "mixed", "by value", "listed"], indirect=True)
def test_the_alternatives_to_a_point_satisfy_them(space: Space) -> None:
    domain = space.domain
    found = 0
    for point in domain.sample(5, np.random.default_rng(2)):
        for j in np.flatnonzero(domain.is_discrete):
            others = domain.alternatives(point, int(j))
            assert satisfied(space, others)
            assert len(others) <= len(domain.untied.alternatives(point, int(j)))
            assert not (others[:, j] == point[j]).any()
            found += len(others)
    assert found


def test_the_same_space_draws_and_moves_alike(space: Space) -> None:
    again: Space = pickle.loads(pickle.dumps(space))
    points = np.random.default_rng(3).random((20, space.domain.dimension))
    assert again == space
    assert np.array_equal(again.domain.snap(points), space.domain.snap(points))
    a, b = (s.domain.sample(9, np.random.default_rng(4)) for s in (space, again))
    assert np.array_equal(a, b)


def test_a_walk_reaches_all_of_a_thin_region() -> None:
    points = Space.from_description(*SPACES["a slab of 1e-6"]).domain.sample(2000, np.random.default_rng(0))
    # Of a triangle's coordinates, as those of a Dirichlet distribution, this is the deviation.
    assert points.mean(axis=0) == pytest.approx(np.full(3, 1 / 3), abs=0.05)
    assert points.std(axis=0) == pytest.approx(np.full(3, 1 / np.sqrt(18)), abs=0.04)


def test_of_two_parts_neither_is_forgotten() -> None:
    points = Space.from_description(*SPACES["two parts"]).domain.sample(400, np.random.default_rng(0))
    assert 0.3 < (points[:, 0] > points[:, 1]).mean() < 0.7


def test_points_are_moved_no_farther_than_they_need_be() -> None:
    domain = Space.from_description(floats(2), ["x0 + x1 <= 1"]).domain
    points = np.random.default_rng(0).random((200, 2))
    moved = domain.snap(points)
    needed = np.maximum(points.sum(axis=1) - 1.0, 0.0) / np.sqrt(2.0)
    assert np.linalg.norm(moved - points, axis=1) == pytest.approx(needed, abs=1e-6)


def test_a_finite_space_has_as_many_points_as_satisfy_the_constraints() -> None:
    space = Space.from_description(*SPACES["listed"])
    pairs = [(a, b) for a in range(1, 61) for b in range(1, 61) if a < b and a * b <= 12]
    assert space.domain.size == len(pairs)
    drawn = space.domain.sample(2000, np.random.default_rng(0))
    assert {(space.decode(p)["a"], space.decode(p)["b"]) for p in drawn} == set(pairs)


@settings(max_examples=40)
@given(
    st.lists(st.floats(-2, 2), min_size=3, max_size=3).filter(lambda w: max(map(abs, w)) > 0.1),
    st.floats(0.05, 0.95),
    st.booleans(),
)
def test_any_half_space_through_the_cube_is_kept_to(weights: list[float], share: float, strict: bool) -> None:
    total = sum(min(w, 0.0) for w in weights) + share * sum(map(abs, weights))
    text = " + ".join(f"({w!r}) * x{i}" for i, w in enumerate(weights))
    space = Space.from_description(floats(3), [f"{text} {'<' if strict else '<='} {total!r}"])
    rng = np.random.default_rng(0)
    assert satisfied(space, space.domain.sample(30, rng))
    assert satisfied(space, space.domain.snap(rng.random((30, 3))))


@pytest.mark.parametrize(
    "constraints",
    [["x0 + x1 < 0"], ["x0 < x1", "x1 < x0"], ["sqrt(x0 - 2) < 1"], ["x0 + x1 >= 2.1"]],
)
def test_that_no_point_is_left_is_found_out(constraints: list[str]) -> None:
    space = Space.from_description(floats(2), constraints)
    with pytest.raises(SpecError, match="no point within the bounds was found that satisfies"):
        space.require_feasible_points()


def test_whether_any_point_is_left_is_told_without_spreading_points_evenly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Which takes the square of how many coordinates there are: 15 s of 100 shares."""

    def walks(*_: object) -> FloatArray:
        raise AssertionError("points were spread")

    monkeypatch.setattr(space_constraints, "even_points_within", walks)
    names = [f"x{i}" for i in range(12)]
    shares = Space.from_description(dict.fromkeys(names, (0.0, 1.0)), [f"{' + '.join(names)} == 1"])
    shares.require_feasible_points()


def test_that_no_whole_number_is_left_is_found_out() -> None:
    space = Space.from_description({"a": whole(1, 9), "b": whole(1, 9)}, ["0.2 < a - b < 0.8"])
    with pytest.raises(SpecError, match="no point"):
        space.require_feasible_points()


def test_a_point_that_does_not_satisfy_them_is_never_handed_out() -> None:
    space = Space.from_description(floats(2), ["x0 + x1 <= 1"])
    assert space.suggested(np.array([0.25, 0.5])) == {"x0": 0.25, "x1": 0.5}
    with pytest.raises(OptimiserError, match=r"expected a suggestion that satisfies `x0 \+ x1 <= 1`, got"):
        space.suggested(np.array([0.75, 0.5]))


def test_without_constraints_nothing_is_different() -> None:
    space = Space.from_description(SPACES["mixed"][0])
    assert space.ties is None
    assert space.domain == space.domain.untied
    rng = np.random.default_rng(0)
    points = rng.random((50, 4))
    assert np.array_equal(space.domain.snap(points), space.domain.rounded(points))
    assert space.domain.feasible(points).all()


class Counted:
    """Ties of a switch and a number, each on its own, that know at how many points they were looked at."""

    named: BoolArray = np.ones(2, dtype=bool)
    known: FloatArray = np.empty((0, 2))
    known_evenly = False
    subsets: Subsets | None = None
    seen = 0

    def hold(self, points: FloatArray) -> BoolArray:
        return np.asarray((points <= 0.3).all(axis=1))

    def gaps(self, points: FloatArray) -> FloatArray:
        self.seen += len(points)
        return points - 0.3


def test_what_no_number_mends_is_not_moved_step_by_step() -> None:
    ties = Counted()
    domain = Domain((Coordinate("ordinal", (0.25, 0.75)), Coordinate()), ties)
    rng = np.random.default_rng(0)
    domain.snap(rng.random((10, 2)))
    before = ties.seen
    off, on = (np.column_stack([np.full(1000, switch), rng.random(1000)]) for switch in (0.25, 0.75))
    assert domain.feasible(domain.snap(on)).all()
    assert ties.seen - before == 1000
    assert domain.feasible(moved := domain.snap(off)).all()
    assert np.allclose(moved[:, 1], np.minimum(off[:, 1], 0.3), atol=1e-6)
