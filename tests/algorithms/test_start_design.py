"""Start points by trial number: the same for whoever asks, spread out, each once."""

import numpy as np

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.descriptors import Descriptors
from orchestrator.unit_cube.domain import Domain

TINY = Domain((Coordinate("ordinal", (0.1, 0.5, 0.9)), Coordinate("categorical", (0.25, 0.75))))


def test_a_trials_point_depends_on_seed_and_number_alone():
    domain = Domain.continuous(3)
    forwards, backwards = StartDesign(domain, 4), StartDesign(domain, 4)
    trials = [0, 5, 63, 64, 500]
    there = [forwards.point(t) for t in trials]
    back = [backwards.point(t) for t in reversed(trials)]
    assert all(np.array_equal(a, b) for a, b in zip(there, reversed(back), strict=True))
    assert not np.allclose(there[0], StartDesign(domain, 5).point(0))


def test_points_fill_the_cube_more_evenly_than_chance():
    design = StartDesign(Domain.continuous(2), 0)
    points = np.array([design.point(t) for t in range(64)])
    cells = {tuple(cell) for cell in (points * 8).astype(int).tolist()}
    assert len(cells) == 64


def test_a_discrete_domain_is_visited_without_repeats_and_then_from_the_start():
    design = StartDesign(TINY, 1)
    points = [tuple(design.point(t)) for t in range(12)]
    assert len(set(points[:6])) == 6
    assert points[6:] == points[:6]


def test_the_first_values_of_a_described_choice_are_far_apart_by_their_numbers():
    # 64 values that fill a square of 8 by 8, in any order: the first 16 are one of each 2 by 2 of them.
    places = np.random.default_rng(2).permutation(64)
    numbers = np.stack([places % 8, places // 8], axis=1)
    described = Descriptors(tuple(map(tuple, (numbers / 7).tolist())))
    positions = tuple((np.arange(64) + 0.5) / 64)
    choice = Coordinate("categorical", positions, descriptors=described)
    domain = Domain((Coordinate(), choice, Coordinate()))
    for seed in range(8):
        design = StartDesign(domain, seed)
        first = [numbers[choice.nearest(design.point(trial)[1])] for trial in range(16)]
        assert len({(a // 2, b // 2) for a, b in first}) == 16


def test_values_that_are_described_alike_all_come_and_those_of_no_numbers_as_they_always_did():
    alike = Descriptors(((0.0, 0.5), (1.0, 0.5), (0.0, 0.5), (1.0, 0.5), (0.3, 0.5)))
    assert sorted(alike.order.tolist()) == [0, 1, 2, 3, 4]
    assert {*alike.order[:2].tolist()} == {0, 2}
    plain = Domain((Coordinate("categorical", (0.1, 0.3, 0.5, 0.7, 0.9)), Coordinate()))
    uniform = np.random.default_rng(3).random((50, 2))
    assert np.array_equal(plain.spread(uniform), plain.rounded(uniform))


def test_a_point_that_was_told_is_replaced():
    from orchestrator.algorithms.base import Observation
    from orchestrator.algorithms.history import History

    design, history = StartDesign(TINY, 1), History(TINY)
    history.tell(Observation(0, design.point(3), 1.0))
    suggestion = design.suggest(3, history.exclusion([]))
    assert not np.array_equal(suggestion.point, design.point(3))
    assert suggestion.why["source"] == "start design"
