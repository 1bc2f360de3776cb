"""Start points by trial number: the same for whoever asks, spread out, each once."""

import numpy as np

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.unit_cube.coordinate import Coordinate
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


def test_a_point_that_was_told_is_replaced():
    from orchestrator.algorithms.base import Observation
    from orchestrator.algorithms.history import History

    design, history = StartDesign(TINY, 1), History(TINY)
    history.tell(Observation(0, design.point(3), 1.0))
    suggestion = design.suggest(3, history.exclusion([]))
    assert not np.array_equal(suggestion.point, design.point(3))
    assert suggestion.why["source"] == "start design"
