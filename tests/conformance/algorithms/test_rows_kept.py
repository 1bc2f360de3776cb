"""Algorithms that choose among rows: rows alone, each once, all of them, and no more."""

from __future__ import annotations

import numpy as np
import pytest
from quick_options import quick_options

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.exclusion import Exclusion
from orchestrator.algorithms.refits import due_refits
from orchestrator.errors import SpecError
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.row_region import RowTies
from orchestrator.unit_cube.rows import Rows

ABLE = registry.CHOOSES_ROWS.able()
COUNT = 17


def domain_of(free: int = 0, *, once: bool = True) -> Domain:
    positions = np.random.default_rng(3).random((COUNT, 2))
    rows = Rows(np.arange(2), positions, np.zeros(2, dtype=bool), once)
    return Domain((Coordinate(),) * (2 + free), RowTies(rows, 2 + free))


def value(point: np.ndarray) -> float:
    return -float(np.square(point - 0.4).sum())


def searched(name: str, domain: Domain, together: int, most: int = 40) -> list[np.ndarray]:
    """The points of asks for several at a time, until one is answered by less."""
    problem = Problem(domain, seed=1, noise=Noise("known", 0.0), start_points=5)
    algorithm = registry.build(name, problem, quick_options(name, refit_every=4))
    points: list[np.ndarray] = []
    while len(points) < most:
        for refit in due_refits(algorithm):
            algorithm.adopt(refit)
        asked = algorithm.ask(together, [], AskKey(len(points), len(points)))
        for trial, suggestion in enumerate(asked, len(points)):
            algorithm.tell([Observation(trial, suggestion.point, value(suggestion.point))])
            points.append(suggestion.point)
        if len(asked) < together:
            break
    return points


@pytest.mark.parametrize("name", ABLE)
def test_every_row_is_tried_once_and_then_there_is_none(name: str) -> None:
    domain = domain_of()
    points = np.array(searched(name, domain, together=3))
    assert domain.rows is not None
    assert sorted(domain.rows.numbers(points).tolist()) == list(range(COUNT))


@pytest.mark.parametrize("name", ["auto", "random", "sobol", "gp-ei"])
def test_beside_a_row_something_may_be_free_and_rows_are_used_up_all_the_same(name: str) -> None:
    domain = domain_of(free=1)
    points = np.array(searched(name, domain, together=2))
    assert domain.rows is not None
    assert sorted(domain.rows.numbers(points).tolist()) == list(range(COUNT))
    assert len(np.unique(points[:, 2])) > COUNT // 2


@pytest.mark.parametrize("name", ["auto", "random"])
def test_where_rows_may_be_tried_again_a_search_goes_on(name: str) -> None:
    domain = domain_of(once=False)
    points = searched(name, domain, together=2, most=COUNT + 5)
    assert len(points) > COUNT
    assert domain.feasible(np.array(points)).all()


def test_what_still_runs_of_a_row_that_was_left_out_meanwhile_uses_up_none_of_the_others() -> None:
    domain = domain_of()
    assert domain.rows is not None
    few = Domain(domain.coordinates, RowTies(domain.rows.among(np.arange(COUNT) < 2), 2))
    exclusion = Exclusion(few, set(), [domain.rows.positions[5], domain.rows.positions[0]])
    assert exclusion.unused.tolist() == [1]
    assert not exclusion.is_used_up
    exclusion.add(domain.rows.positions[1])
    assert exclusion.is_used_up


@pytest.mark.parametrize("name", ["boo", "turbo", "add-gp-ucb", "direct"])
def test_others_refuse_and_say_which_ones_do_not(name: str) -> None:
    with pytest.raises(SpecError, match="expected an algorithm that chooses among candidates"):
        registry.build(name, Problem(domain_of()))


def test_a_start_spreads_over_the_rows_from_the_one_in_their_middle() -> None:
    rng = np.random.default_rng(5)
    positions = np.vstack([rng.normal(0.2, 0.02, (300, 2)), rng.normal(0.8, 0.02, (5, 2))]).clip(0, 1)
    rows = Rows(np.arange(2), positions, np.zeros(2, dtype=bool))
    domain = Domain((Coordinate(),) * 2, RowTies(rows, 2))
    algorithm = registry.build("sobol", Problem(domain, seed=2))
    asked = [one.point for one in algorithm.ask(10, [], AskKey(0, 0))]
    assert np.abs(asked[0] - np.median(positions, axis=0)).max() < 0.01
    # The small heap is one in sixty of the rows, and soon visited all the same.
    assert any(point.min() > 0.5 for point in asked)
    again = registry.build("sobol", Problem(domain, seed=2)).ask(4, [], AskKey(0, 0))
    assert all((one.point == own).all() for one, own in zip(again, asked, strict=False))
    other = registry.build("sobol", Problem(domain, seed=3)).ask(10, [], AskKey(0, 0))
    assert any((one.point != own).any() for one, own in zip(other, asked, strict=True))
