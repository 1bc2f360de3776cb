"""Values told in place of failures are found out, and no others: a model would see nothing but them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.penalties import highest_penalty
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.unit_cube.domain import Domain

DESIGNED = 10
ORDINARY = [0.3, 1.2, 0.7, 2.0, 1.1, 0.1]


def found(*values: float | None) -> float | None:
    told = np.array([math.nan if value is None else value for value in values])
    return highest_penalty(told, DESIGNED)


def test_the_same_number_told_again_far_below_all_others_is_a_penalty() -> None:
    assert found(*ORDINARY, None, None, -9.0, -9.0) == -9.0
    assert found(-9.0, None, *ORDINARY, -9.0, None) == -9.0


def test_numbers_that_differ_are_penalties_if_they_lie_much_farther_below() -> None:
    assert found(*ORDINARY, None, -90.0, -91.0, -92.0) == pytest.approx(-90.0 + 90.1 / 4)
    assert found(*ORDINARY, None, -15.0, -15.5, -16.0) is None


def test_numbers_that_lie_farther_apart_than_from_the_others_are_a_tail() -> None:
    assert found(*ORDINARY, None, -90.0, -100.0, -300.0) is None


def test_a_penalty_to_come_may_be_less_than_those_before() -> None:
    highest = found(*ORDINARY, None, -9e5, -1e6, -1.5e6)
    assert highest is not None
    assert -8e5 < highest < -1e5


def test_once_is_not_enough_but_where_nothing_else_could_be_seen_beside_it() -> None:
    assert found(*ORDINARY, None, None, None, -1e6) is None
    assert found(*ORDINARY, None, None, None, -1e30) == -1e30
    assert found(*ORDINARY[:3], *ORDINARY[:3], None, None, None, -1e30) is None


def test_a_single_high_value_leaves_the_others_values() -> None:
    assert found(*ORDINARY, None, None, None, 1e30) is None


def test_a_plateau_near_the_other_values_is_none() -> None:
    assert found(*ORDINARY, -1.0, -1.0, -1.0, -1.0) is None


def test_nothing_is_said_before_the_start_design_is_told() -> None:
    assert found(*ORDINARY, -1e6, -1e6, -1e6) is None


def test_where_hardly_any_of_the_start_design_came_off_the_others_say_what_a_penalty_is() -> None:
    design = [-1e9] * 9 + [-25.3]
    assert found(*design, -27.6, -24.3, -1e9, -17.5) is None, "too few others yet"
    highest = found(*design, -27.6, -24.3, -1e9, -17.5, -20.7, -309.0)
    assert highest is not None
    assert -1e9 <= highest < -1e8


def test_a_plain_far_below_a_hill_is_none_though_the_whole_start_design_lies_on_it() -> None:
    plain = [0.0] * DESIGNED
    assert found(*plain, 0.9, 0.95, 0.99, 0.995, 1.0) is None
    assert found(*plain[:-1], 0.5, *(1.0 - 1e-9 * np.arange(40)).tolist()) is None


def test_numbers_that_differ_need_the_start_design_beside_them() -> None:
    design = [-1e9 - k for k in range(9)] + [-25.3]
    assert found(*design, -27.6, -24.3, -17.5, -20.7, -30.9) is None


def test_outcomes_that_are_yes_or_no_are_values() -> None:
    assert found(1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1) is None


def test_what_a_search_that_closed_in_on_a_top_left_far_below_is_no_penalty() -> None:
    around = np.random.default_rng(1).uniform(-9.0, 0.0, DESIGNED)
    near = 1.0 - 1e-9 * np.arange(40)
    assert highest_penalty(np.concatenate([around, near]), DESIGNED) is None


@pytest.mark.parametrize("power", [1, 2, 4, 8])
def test_a_long_tail_is_no_penalty(power: int) -> None:
    values = -(np.random.default_rng(power).uniform(0.0, 10.0, 200) ** power)
    assert all(highest_penalty(values[:n], DESIGNED) is None for n in range(len(values)))


def test_a_history_forgets_penalties_as_values_and_takes_those_to_come_for_failures() -> None:
    history = History(Domain.continuous(1))
    for trial, value in enumerate([1.0, -9.0, None, 2.0, -9.5, 0.5]):
        history.tell(Observation(trial, np.array([trial / 10]), value))
    history.count_as_failed(-9.0)
    history.tell(Observation(6, np.array([0.9]), -20.0))
    history.tell(Observation(7, np.array([0.95]), 3.0))

    assert (history.successes, history.penalties) == (4, 3)
    assert list(np.flatnonzero(np.isnan(history.values))) == [1, 2, 4, 6]
    assert list(history.best_rows(9)) == [7, 3, 0, 5]


def best_of(penalty: float | None) -> float:
    """The best of 25 values of a bowl, most of whose domain gives a penalty."""
    algorithm = registry.build("auto", Problem(Domain.continuous(2), seed=0))
    best = -math.inf
    for trial in range(25):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        x, y = suggestion.point
        value = penalty if x > 0.45 else -float((x - 0.3) ** 2 + (y - 0.7) ** 2)
        best = best if value is None or value == penalty else max(best, value)
        algorithm.tell([Observation(trial, suggestion.point, value)])
    if penalty is not None:
        assert any("count as failures: " in note for note in algorithm.insight().notes)
    return best


@pytest.mark.searches
def test_auto_finds_the_same_with_a_penalty_as_with_failures() -> None:
    assert best_of(None) > -1e-3
    assert best_of(-1e6) > -1e-3


def test_the_penalty_itself_told_once_more_is_a_failure() -> None:
    history = History(Domain.continuous(1))
    for trial, value in enumerate([1.0, -10.0, 2.0, -10.0, 0.5, 3.0, 1.5, 0.2, 0.7, 1.1]):
        history.tell(Observation(trial, np.array([trial / 20]), value))
    highest = highest_penalty(history.values, DESIGNED)
    assert highest == -10.0
    history.count_as_failed(highest)
    history.tell(Observation(10, np.array([0.9]), -10.0))
    assert (history.successes, history.penalties) == (8, 3)
