"""The search by values and derivatives, on functions whose derivatives are right, wrong or missing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.gaussian_process.trust_region import FIRST_LENGTH
from orchestrator.algorithms.search_with_derivatives import SearchWithDerivatives
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

CENTRE, STEEPNESS = np.linspace(0.2, 0.8, 5), np.linspace(1.0, 5.0, 5)


def bowl(point: FloatArray) -> tuple[float, FloatArray]:
    """A paraboloid's value and derivatives, to be highest: 0."""
    apart = point - CENTRE[: len(point)]
    steepness = STEEPNESS[: len(point)]
    return -float(steepness @ apart**2), -2.0 * steepness * apart


def search_of(dimension: int, seed: int = 0) -> SearchWithDerivatives:
    problem = Problem(
        Domain.continuous(dimension), seed=seed, start_points=3, derivatives=tuple(range(dimension))
    )
    found = registry.build("auto", problem)
    assert isinstance(found, SearchWithDerivatives)
    return found


def observed(search: SearchWithDerivatives, trials: int, factor: float = 1.0) -> list[Observation]:
    told: list[Observation] = []
    for i in range(len(told), trials):
        (one,) = search.ask(1, [], AskKey(i + 1, i + 1))
        value, slopes = bowl(one.point)
        told.append(Observation(i + 1, one.point, value, derivatives=factor * slopes))
        search.tell(told[-1:])
    return told


def best_of(told: Sequence[Observation]) -> float:
    return max(one.value for one in told if one.value is not None)


@pytest.fixture(scope="module")
def right() -> tuple[SearchWithDerivatives, list[Observation]]:
    search = search_of(5)
    return search, observed(search, 10)


def test_a_paraboloid_of_five_parameters_is_found_in_ten_evaluations(
    right: tuple[SearchWithDerivatives, list[Observation]],
) -> None:
    search, told = right
    assert best_of(told) > -1e-3
    assert all("with derivatives" in name for name in search.insight().weights)
    recommended = search.recommend(None)
    assert recommended is not None
    assert np.allclose(recommended.point, CENTRE, atol=0.02)


def test_another_that_was_told_the_same_asks_the_same_to_the_bit(
    right: tuple[SearchWithDerivatives, list[Observation]],
) -> None:
    search, told = right
    other = search_of(5)
    other.tell(told[:4])
    other.tell(told[4:])
    running = [np.full(5, 0.4)]
    asked, again = (one.ask(2, running, AskKey(20, 20)) for one in (search, other))
    assert [one.point.tolist() for one in asked] == [one.point.tolist() for one in again]
    assert not np.array_equal(asked[0].point, asked[1].point)


def test_derivatives_of_the_wrong_sign_are_not_believed() -> None:
    search = search_of(2)
    told = observed(search, 12, factor=-1.0)
    weights = search.insight().weights
    assert sum(weight for name, weight in weights.items() if "without" in name) > 0.9
    assert best_of(told) > -0.05


def test_ones_that_are_steeper_than_a_model_can_see_are_left_out_and_that_is_said() -> None:
    search = search_of(2)
    observed(search, 5, factor=1e200)
    assert search.ask(1, [], AskKey(6, 6))[0].predicted is not None
    assert list(search.insight().weights) == ["matern-5/2, without derivatives"]
    assert "10 derivatives are left out, being steeper than 10,000" in search.insight().notes[-1]


@pytest.mark.parametrize("exponent", [-1000, -40, 40, 990])
def test_in_whatever_units_values_and_derivatives_are_the_same_is_asked_to_the_bit(exponent: int) -> None:
    search, scaled = search_of(2), search_of(2)
    for i in range(5):
        (one,), (other,) = (each.ask(1, [], AskKey(i + 1, i + 1)) for each in (search, scaled))
        assert one.point.tolist() == other.point.tolist()
        value, slopes = bowl(one.point)
        search.tell([Observation(i + 1, one.point, value, derivatives=slopes)])
        larger, steeper = np.ldexp(value, exponent), np.ldexp(slopes, exponent)
        scaled.tell([Observation(i + 1, one.point, float(larger), derivatives=steeper)])


def test_one_that_broke_with_a_huge_value_and_derivatives_hides_nothing_of_the_others() -> None:
    search, told = search_of(2), []
    for i in range(12):
        (one,) = search.ask(1, [], AskKey(i + 1, i + 1))
        value, slopes = bowl(one.point) if i != 1 else (-1e150, np.full(2, 1e290))
        told.append(Observation(i + 1, one.point, value, derivatives=slopes))
        search.tell(told[-1:])
    assert best_of(told) > -0.02
    assert all("with derivatives" in name for name in search.insight().weights)
    assert "count as failures: 1" in search.insight().notes[-1]


def test_one_derivative_of_a_solver_that_broke_does_not_discredit_the_others() -> None:
    search, told = search_of(2), []
    for i in range(8):
        (one,) = search.ask(1, [], AskKey(i + 1, i + 1))
        value, slopes = bowl(one.point)
        slopes[0] = 1e12 if i == 1 else slopes[0]
        told.append(Observation(i + 1, one.point, value, derivatives=slopes))
        search.tell(told[-1:])
    assert best_of(told) > -1e-3
    assert all("with derivatives" in name for name in search.insight().weights)


def test_one_gradient_of_ordinary_size_and_the_wrong_sign_is_left_out_and_that_is_said() -> None:
    search, told = search_of(3), []
    for i in range(11):
        (one,) = search.ask(1, [], AskKey(i + 1, i + 1))
        value, slopes = bowl(one.point)
        told.append(Observation(i + 1, one.point, value, derivatives=-slopes if i == 4 else slopes))
        search.tell(told[-1:])
    assert best_of(told) > -1e-3
    assert all("with derivatives" in name for name in search.insight().weights)
    assert search.insight().notes[-1].endswith("contradict what all the rest says are left out: of trial 5")


def test_what_is_fitted_to_many_results_does_not_depend_on_when_that_was_asked_for() -> None:
    search, other = search_of(2), search_of(2)
    points = np.random.default_rng(6).random((19, 2))
    told = [Observation(i, p, bowl(p)[0], derivatives=bowl(p)[1]) for i, p in enumerate(points)]
    search.tell(told[:18])
    search.ask(1, [], AskKey(18, 18))
    search.tell(told[18:])
    other.tell(told)
    (asked,), (again,) = (one.ask(1, [], AskKey(19, 19)) for one in (search, other))
    assert asked.point.tolist() == again.point.tolist()


def test_nor_does_it_where_a_value_is_known_to_be_a_penalty_between_two_fits() -> None:
    search, other = search_of(1), search_of(1)
    points = np.random.default_rng(6).random((17, 1))
    told = [Observation(i, p, bowl(p)[0], derivatives=bowl(p)[1]) for i, p in enumerate(points)]
    told[5] = Observation(5, points[5], None)
    for broke in (15, 16):
        told[broke] = Observation(broke, points[broke], -100.0)
    search.tell(told[:16])
    search.ask(1, [], AskKey(16, 16))
    search.tell(told[16:])
    other.tell(told)
    (asked,), (again,) = (one.ask(1, [], AskKey(17, 17)) for one in (search, other))
    assert asked.point.tolist() == again.point.tolist()


def test_what_brings_none_or_some_or_fails_is_learned_from_all_the_same() -> None:
    search = search_of(2)
    points = np.random.default_rng(3).random((6, 2))
    for i, point in enumerate(points):
        value, slopes = bowl(point)
        partly = [None, np.array([slopes[0], np.nan]), slopes][i % 3]
        search.tell([Observation(i + 1, point, None if i == 5 else value, derivatives=partly)])
    (asked,) = search.ask(1, [], AskKey(7, 7))
    assert asked.predicted is not None
    assert not search.insight().notes


def test_a_step_was_too_short_by_what_is_told_at_both_its_ends() -> None:
    search = search_of(2)
    search.tell([Observation(i, np.full(2, 0.9 - 0.1 * i), -9.0 - i) for i in range(3)])
    before, after = np.array([np.nan, 1.0]), np.array([10.0, 0.4])
    search.tell([Observation(5, np.full(2, 0.5), -5.0, derivatives=before)])
    search.tell([Observation(6, np.full(2, 0.6), -4.0, derivatives=after)])
    (asked,) = search.ask(1, [], AskKey(7, 7))
    assert asked.why["region"] == FIRST_LENGTH


def test_where_no_result_brought_any_that_is_said() -> None:
    search = search_of(2)
    search.tell([Observation(i + 1, p, bowl(p)[0]) for i, p in enumerate(np.eye(2))])
    assert "no result has brought derivatives" in search.insight().notes[0]


def test_of_more_rows_than_a_model_has_the_derivatives_of_the_best_and_the_latest_are_kept() -> None:
    from orchestrator.algorithms.derivatives.told_derivatives import ToldDerivatives
    from orchestrator.algorithms.history import History
    from orchestrator.surrogates.scales.standardise import Standardisation

    domain = Domain.continuous(5)
    history, told = History(domain), ToldDerivatives(domain, range(5))
    for i, point in enumerate(np.random.default_rng(4).random((30, 5))):
        value, slopes = bowl(point)
        one = Observation(i + 1, point, value, derivatives=slopes)
        history.tell(one)
        told.tell(one)
    data, used = told.data(history, Standardisation(), np.zeros(30), 60)
    kept = set(data.results[data.rows[:, -1] >= 0].tolist())
    assert len(data.y) <= 61
    assert used == len(kept)
    assert {29, int(np.argmax(history.values))} <= kept
