"""The part of a domain where coordinates are held: few words, and all that works in a domain works in it."""

import numpy as np
import pytest

from orchestrator.parameters.space import Space
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import NoFeasiblePoint

DESCRIBED = {
    "rate": {"type": "float", "bounds": [1e-6, 1e-1], "scale": "log"},
    "neurons": {"type": "int", "bounds": [2, 100]},
    "machine": {"type": "choice", "values": ["A", "B", "C"]},
    "many": {"type": "int", "bounds": [1, 100_000]},
}
SPACE = Space.from_description(DESCRIBED)
WHOLE = SPACE.domain
AT = SPACE.encode({"rate": 1e-3, "neurons": 17, "machine": "B", "many": 777})
TIED = Space.from_description(DESCRIBED, ["neurons * many <= 2000", "rate * neurons >= 1e-3"])


@pytest.mark.parametrize("held", [[0], [1], [2], [3], [0, 2], [1, 3], [0, 1, 2, 3]])
@pytest.mark.parametrize("space", [SPACE, TIED], ids=["free", "tied"])
def test_all_points_of_it_have_what_is_held_and_are_feasible_in_the_whole(
    held: list[int], space: Space
) -> None:
    whole = space.domain
    at = whole.untied.rounded(space.encode({"rate": 1e-3, "neurons": 17, "machine": "B", "many": 77}))
    part = whole.holding({j: float(at[j]) for j in held})
    rng = np.random.default_rng(0)
    anywhere = rng.random((50, 4))
    for points in (part.sample(50, rng), part.snap(anywhere)):
        assert (points[:, held] == at[held]).all()
        assert part.contains(points).all()
        assert whole.feasible(points).all()
        assert np.array_equal(whole.rounded(points), points)
    assert part.is_held.tolist() == [j in held for j in range(4)]
    assert not part.contains(anywhere).any()
    for j in range(4):
        others = part.alternatives(part.snap(anywhere)[0], j) if part.is_discrete[j] else np.empty((0, 4))
        assert (others[:, held] == at[held]).all()
        assert not len(others) or j not in held


def test_models_see_its_points_as_they_see_those_of_the_whole() -> None:
    for held in ([2], [0, 2], [0, 1, 2, 3]):
        part = WHOLE.holding({j: float(AT[j]) for j in held})
        points = WHOLE.sample(20, np.random.default_rng(1))
        assert np.array_equal(part.embed(points), WHOLE.embed(points))
        assert np.array_equal(part.embedded_parameter, WHOLE.embedded_parameter)


def test_holding_one_after_another_is_holding_both() -> None:
    both = WHOLE.holding({0: float(AT[0]), 2: float(AT[2])})
    assert WHOLE.holding({0: float(AT[0])}).holding({2: float(AT[2])}) == both
    assert WHOLE.holding({}) == WHOLE


def test_where_nothing_continuous_is_left_it_is_finite() -> None:
    part = WHOLE.holding({0: float(AT[0]), 3: float(AT[3])})
    assert part.size == 99 * 3
    assert part.listed is not None
    assert part.contains(part.listed).all()
    assert WHOLE.holding({j: float(AT[j]) for j in range(4)}).size == 1


def test_coordinates_that_are_held_are_written_and_read() -> None:
    for coordinate, position in zip(WHOLE.coordinates, AT, strict=True):
        held = coordinate.held(float(position))
        assert Coordinate.from_json(held.to_json()) == held
        assert Coordinate.from_json(coordinate.to_json()) == coordinate
        assert "free" not in coordinate.to_json()


def test_ties_that_hold_nowhere_in_it_are_noticed() -> None:
    (neurons,) = [SPACE.parameters[1].encode(100)]
    (many,) = [SPACE.parameters[3].encode(99)]
    with pytest.raises(NoFeasiblePoint):
        TIED.domain.holding({1: neurons, 3: many}).require_feasible_points()
    TIED.domain.holding({1: neurons}).require_feasible_points()


def test_points_that_ties_know_are_moved_into_it() -> None:
    class Diagonal:
        named = np.array([True, True])
        known = np.array([[0.3, 0.3], [0.6, 0.6]])
        known_evenly = False
        subsets = None

        def hold(self, points):
            return np.abs(points[:, 0] - points[:, 1]) < 1e-3

        def gaps(self, points):
            return np.abs(points[:, :1] - points[:, 1:]) - 1e-3

    part = Domain((Coordinate(),) * 2, Diagonal()).holding({0: 0.25})
    points = part.sample(10, np.random.default_rng(0))
    assert (points[:, 0] == 0.25).all()
    assert (np.abs(points[:, 1] - 0.25) < 1e-3).all()


def test_what_does_not_count_rests_in_it_too() -> None:
    space = Space.from_description(
        {
            "kind": {"type": "choice", "values": ["a", "b"]},
            "n": {"type": "int", "bounds": [1, 4], "when": {"kind": "a"}},
            "x": (0.0, 1.0),
        }
    )
    a, b = (space.domain.holding({0: space.parameters[0].encode(kind)}) for kind in "ab")
    rng = np.random.default_rng(0)
    assert {len(np.unique(part.sample(60, rng)[:, 1])) for part in (a,)} == {4}
    assert len(np.unique(b.sample(60, rng)[:, 1])) == 1
