"""A search by comparisons: it goes where more is preferred, and says what is believed best."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms.base import AskKey, Comparison, Observation, Problem
from orchestrator.algorithms.by_comparison import ByComparison, ByComparisonOptions
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain


def compared(domain: Domain, taste, trials: int) -> tuple[ByComparison, dict[int, np.ndarray]]:
    """A search whose trials are compared, without errors, with the one believed best."""
    search = ByComparison(Problem(domain, compared=True), ByComparisonOptions())
    points: dict[int, np.ndarray] = {}
    for trial in range(1, trials + 1):
        (suggestion,) = search.ask(1, [], AskKey(trial, trial))
        points[trial] = suggestion.point
        best = search.insight().preferred
        search.tell([Observation(trial, suggestion.point, None)])
        if trial > 1:
            other = trial - 1 if best is None else best.trial
            better = taste(points[trial]) > taste(points[other])
            search.compare([Comparison(*((trial, other) if better else (other, trial)))])
    return search, points


def test_it_comes_near_what_is_liked_best() -> None:
    search, points = compared(Domain.continuous(2), lambda u: -float(np.sum((u - 0.3) ** 2)), 12)
    found = search.insight().preferred
    assert found is not None
    assert np.abs(points[found.trial] - 0.3).max() < 0.15
    assert 0.5 <= found.chance <= 1.0
    assert len({point.tobytes() for point in points.values()}) == 12


def test_choices_and_whole_numbers_are_searched_and_no_pair_twice() -> None:
    space = Space.from_description(
        {
            "beans": {"type": "choice", "values": ["washed", "natural"]},
            "grind": {"type": "int", "bounds": (1, 4)},
        }
    )
    domain = space.domain

    def taste(u: np.ndarray) -> float:
        told = space.decode(u)
        return 3.0 * (told["beans"] == "natural") - abs(told["grind"] - 3)

    search, points = compared(domain, taste, 8)
    assert len({point.tobytes() for point in points.values()}) == 8
    found = search.insight().preferred
    assert found is not None
    assert space.decode(points[found.trial]) == {"beans": "natural", "grind": 3}


def test_the_same_told_asks_the_same_whenever_it_was_asked_before() -> None:
    first, points = compared(Domain.continuous(2), lambda u: float(u[0]), 8)
    again = ByComparison(Problem(Domain.continuous(2), compared=True), ByComparisonOptions())
    again.tell([Observation(trial, point, None) for trial, point in points.items()])
    again.compare(first._told._comparisons)
    key = AskKey(9, 9)
    assert np.array_equal(first.ask(1, [], key)[0].point, again.ask(1, [], key)[0].point)


def test_what_was_not_told_cannot_be_compared() -> None:
    search = ByComparison(Problem(Domain.continuous(1), compared=True), ByComparisonOptions())
    search.tell([Observation(1, np.array([0.5]), None)])
    with pytest.raises(ValueError, match="two trials that were told"):
        search.compare([Comparison(1, 2)])


def test_who_contradicts_themselves_is_believed_half() -> None:
    search = ByComparison(Problem(Domain.continuous(1), compared=True), ByComparisonOptions())
    search.tell([Observation(1, np.array([0.2]), None), Observation(2, np.array([0.8]), None)])
    search.compare([Comparison(1, 2), Comparison(2, 1)])
    found = search.insight().preferred
    assert found is not None
    assert found.chance == pytest.approx(0.5, abs=1e-6)


def believed_of_three(*constraints: str):
    """Points 1, 2 and 3 from the left to the right, the further to the right the better."""
    domain = Space.from_description({"x": (0.0, 1.0)}, constraints).domain
    search = ByComparison(Problem(domain, compared=True), ByComparisonOptions())
    search.tell([Observation(trial, np.array([at]), None) for trial, at in ((1, 0.2), (2, 0.5), (3, 0.8))])
    search.compare([Comparison(2, 1), Comparison(3, 2)])
    return search.insight().preferred


def test_what_a_constraint_leaves_out_by_now_is_learned_from_and_not_preferred() -> None:
    found = [believed_of_three(*constraint) for constraint in ((), ("x <= 0.6",), ("x <= 0.4",))]
    assert [(one.trial, one.next) for one in found] == [(3, 2), (2, 1), (1, None)]
    assert believed_of_three("x >= 0.9") is None


def test_a_batch_is_spread_where_nobody_has_compared_it_yet() -> None:
    search, _ = compared(Domain.continuous(2), lambda u: -float(np.sum((u - 0.3) ** 2)), 9)
    batch = [one.point for one in search.ask(3, [], AskKey(10, 10))]
    alone = [search.ask(1, [], AskKey(10, trial))[0].point for trial in (10, 11, 12)]
    assert apart(batch) > 3.0 * apart(alone)


def apart(points: list[np.ndarray]) -> float:
    """The least distance of two of them."""
    return min(float(np.linalg.norm(a - b)) for i, a in enumerate(points) for b in points[:i])


def test_what_was_told_and_waits_to_be_compared_is_one_of_the_start_design() -> None:
    domain = Domain.continuous(2)
    told, untold = (ByComparison(Problem(domain, compared=True), ByComparisonOptions()) for _ in range(2))
    (first,) = told.ask(1, [], AskKey(1, 1))
    told.tell([Observation(1, first.point, None)])
    for trial in (2, 3, 4):
        pair = [search.ask(1, [first.point], AskKey(trial, trial))[0] for search in (told, untold)]
        assert np.array_equal(pair[0].point, pair[1].point)
