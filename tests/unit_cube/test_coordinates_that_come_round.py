"""Coordinates of which both ends are one setting: what kernels see, and where searches lead."""

import math

import numpy as np

from orchestrator.maximisers.boxes.within_box import Box
from orchestrator.maximisers.climbs.ascent import ascend
from orchestrator.maximisers.climbs.multistart import anything, maximise
from orchestrator.unit_cube.circle import nearest_turn, within_a_turn
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

ROUND = Coordinate(periodic=True)
SIX = Coordinate("ordinal", tuple((np.arange(6) + 0.5) / 6), periodic=True)
DOMAIN = Domain((ROUND, Coordinate(), Coordinate("categorical", (0.25, 0.75))))
BOTH = Domain((ROUND, SIX))


class Hill:
    """Highest at a point, by the shorter way round; its embedded columns are climbed."""

    def __init__(self, domain, top):
        self.domain, self.top = domain, domain.embed(np.array([top]))

    def values(self, X):
        return -((self.domain.embed(X) - self.top) ** 2).sum(axis=1)

    def values_and_gradients(self, X):
        slopes = -2.0 * (self.domain.embed(X) - self.top)
        return self.values(X), self.domain.along_coordinates(slopes, X)


def test_both_ends_are_one_to_kernels_and_near_positions_as_far_apart_as_on_a_line() -> None:
    seen = DOMAIN.embed(np.array([[u, 0.3, 0.25] for u in (0.0, 1.0, 0.002, 0.999)]))
    assert seen.shape == (4, 5)
    assert np.allclose(seen[0], seen[1])
    assert math.isclose(np.linalg.norm(seen[2] - seen[3]), 0.003, rel_tol=1e-4)


def test_what_is_over_the_seam_is_seen_as_near_to_a_centre_as_it_comes() -> None:
    points, centre = np.array([[0.95, 0.9, 0.25], [0.3, 0.0, 0.75]]), np.array([0.05, 0.1, 0.25])
    assert np.allclose(DOMAIN.towards(points, centre), [[-0.05, 0.9, 0.25], [0.3, 0.0, 0.75]])
    assert Domain((Coordinate(),) * 3).towards(points, centre).tolist() == points.tolist()


def test_both_columns_have_one_length_scale() -> None:
    assert DOMAIN.embedded_parameter.tolist() == [0, 0, 1, 2, 2]
    assert DOMAIN.embedded_aspect.tolist() == [0, 0, 1, 2, 2]
    assert DOMAIN.embedding.of_coordinates([0.1, 0.2, 0.3]).tolist() == [0.1, 0.2, 0.3]


def test_derivatives_by_positions_are_those_of_differences() -> None:
    rng = np.random.default_rng(0)
    X, slopes = DOMAIN.sample(5, rng), rng.standard_normal((5, 5))
    along = DOMAIN.along_coordinates(slopes, X)
    step = 1e-6 * np.array([1.0, 0.0, 0.0])
    moved = (DOMAIN.embed(X + step) - DOMAIN.embed(X - step)) / 2e-6
    assert np.allclose(along[:, 0], (slopes * moved).sum(axis=1))
    assert along[:, 1].tolist() == slopes[:, 2].tolist()
    assert not along[:, 2].any()


def test_what_leaves_at_one_end_comes_in_at_the_other() -> None:
    assert np.allclose(DOMAIN.snap(np.array([-0.1, -0.1, 0.3])), [0.9, 0.0, 0.25])
    assert DOMAIN.snap(np.array([1.0, 1.0, 0.3])).tolist() == [0.0, 1.0, 0.25]
    assert within_a_turn(np.array([-1e-18, 1.25, 3.0])).tolist() == [0.0, 0.25, 0.0]
    assert np.allclose(nearest_turn(np.array([0.9, 0.4, 0.5]), np.array(0.1)), [-0.1, 0.4, 0.5])
    assert np.allclose(BOTH.snap(np.array([[0.5, -0.01], [0.5, 1.1]]))[:, 1], [11 / 12, 1 / 12])


def test_a_held_one_is_seen_as_it_is_where_it_is_not_held() -> None:
    point = np.array([[0.25, 0.5, 0.75]])
    held = DOMAIN.holding({0: 0.25})
    assert held.embed(point).tolist() == DOMAIN.embed(point).tolist()
    assert not held.is_searched_round.any()


def test_neighbours_of_the_first_position_are_the_last_ones() -> None:
    assert np.allclose(SIX.alternatives(1 / 12) * 12, [3, 5, 9, 11])


def test_it_is_told_and_read_to_the_bit() -> None:
    for one in (ROUND, SIX, SIX.held(1 / 12)):
        assert Coordinate.from_json(one.to_json()) == one
    assert "periodic" not in Coordinate().to_json()


def test_a_climb_goes_over_the_seam() -> None:
    domain = Domain((ROUND, Coordinate()))
    start = np.array([[0.9, 0.5]])
    ends, _ = ascend(Hill(domain, [0.05, 0.5]), start, np.ones(2, bool), 40, comes_round=domain.comes_round)
    assert np.allclose(ends, [[0.05, 0.5]], atol=1e-3)
    walled, _ = ascend(Hill(domain, [0.05, 0.5]), start, np.ones(2, bool), 40)
    assert walled[0, 0] == 1.0


def test_the_best_point_is_found_on_either_side_of_the_seam() -> None:
    for top in ([0.001, 11 / 12], [0.999, 1 / 12]):
        found = maximise(Hill(BOTH, top), BOTH, np.empty((0, 2)), anything, np.random.default_rng(0))
        assert found is not None
        assert np.allclose(found.point, top, atol=1e-3)


def test_a_box_at_the_seam_is_about_its_centre() -> None:
    centre = np.array([0.02, 1 / 12])
    box = Box.about(BOTH, centre, np.array([0.1, 0.01]))
    inside = box.contains(np.array([[0.95, 1 / 12], [0.11, 11 / 12], [0.9, 1 / 12], [0.05, 5 / 12]]))
    assert inside.tolist() == [True, True, False, False]
    found = box.maximise(Hill(BOTH, [0.96, 9 / 12]), centre[None, :], anything, np.random.default_rng(1))
    assert found is not None
    assert np.allclose(found, [0.96, 11 / 12], atol=1e-3)


def test_a_box_as_wide_as_all_holds_each_position_once() -> None:
    domain = Domain((SIX, SIX))
    box = Box.about(domain, np.array([1 / 12, 5 / 12]), np.array([0.8, 0.5]))
    assert box.size == 36
    everything = box.all()
    assert len(np.unique(np.round(12 * everything), axis=0)) == 36
    assert box.contains(everything).all()
    least = Box.about(domain, np.array([1 / 12, 5 / 12]), np.zeros(2))
    assert least.is_least
    assert least.size == 9
