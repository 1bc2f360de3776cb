"""The search for the best settings of each condition: where it looks, and what it recommends."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms import best_for_each, registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.best_for_each import BestForEach
from orchestrator.algorithms.for_each.grounds import Grounds
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.unit_cube.even_points import even_points
from orchestrator.values.over import Over

LOAD = {"type": "float", "bounds": [0, 1], "in_use": "evenly"}
SPACE = Space.from_description({"x": (0.0, 1.0), "load": LOAD})
TIED = Space.from_description(
    {
        "x": (0.0, 1.0),
        "kind": {"type": "choice", "values": ["a", "b"]},
        "load": {"type": "ordered", "values": [1, 2, 3], "in_use": {"chances": [0.5, 0.3, 0.2]}},
    },
    ["x + 0.25 * load <= 1"],
)


def conditions(space: Space) -> ConditionsInUse:
    found = conditions_in_use(space, Over(each=True))
    assert found is not None
    return found


def value(point: np.ndarray) -> float:
    """Best where x is 0.2 + 0.6 c^2."""
    x, c = point
    return float(-((x - 0.2 - 0.6 * c**2) ** 2))


@pytest.fixture(scope="module")
def searched() -> BestForEach:
    return told_of(14)


def told_of(count: int, seed: int = 0) -> BestForEach:
    """Told of so many evenly spread points."""
    found = built(seed + 1)
    points = even_points(SPACE.domain, count, np.random.default_rng(seed))
    found.tell([Observation(i, point, value(point)) for i, point in enumerate(points)])
    bring_up_to_date(found)
    return found


def built(seed: int) -> BestForEach:
    problem = Problem(SPACE.domain, seed=seed, noise=Noise("known", 0.0), in_use=conditions(SPACE))
    found = registry.build("auto", problem)
    assert isinstance(found, BestForEach)
    return found


@pytest.mark.parametrize("load", [0.0, 0.4, 0.77, 1.0])
def test_settings_are_recommended_for_any_condition(searched: BestForEach, load: float) -> None:
    found = searched.recommend(SPACE.domain.holding({1: load}))
    assert found is not None
    assert found.point[1] == load
    assert abs(found.point[0] - 0.2 - 0.6 * load**2) < 0.03


def test_no_trial_is_believed_best(searched: BestForEach) -> None:
    assert searched.insight().believed_best is None


def test_trials_are_in_conditions_that_come_up_and_gain_less_beside_those_that_run(
    searched: BestForEach,
) -> None:
    several = searched.ask(3, [], AskKey(14, 14))
    listed = conditions(SPACE).points[:, 0]
    assert all(one.point[1] in listed for one in several)
    gains = [one.why["for_each"]["gain"] for one in several]
    assert gains[0] > gains[2] > 0.0
    (again,) = searched.ask(1, [], AskKey(14, 14))
    assert (again.point == several[0].point).all()


def test_what_is_left_to_gain_is_on_average_over_conditions_and_little_where_much_is_known(
    searched: BestForEach, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(best_for_each, "CONDITIONS", 2)
    early = told_of(10, seed=3)
    expected, known = early.remaining_gain(), searched.remaining_gain()
    assert expected is not None
    assert known is not None
    missed = [_missed(early, load) for load in conditions(SPACE).points[:2, 0].tolist()]
    assert np.mean(known.draws) < 0.2 * np.mean(expected.draws)
    assert np.quantile(expected.draws, 0.1) < np.mean(missed) < np.quantile(expected.draws, 0.9)


def test_of_two_results_for_each_parameter_or_fewer_nothing_is_foreseen() -> None:
    assert told_of(3).remaining_gain() is None


def test_the_scale_that_it_sees_values_on_is_not_taken_for_what_is_left_to_gain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(best_for_each, "CONDITIONS", 2)
    search = built(0)
    for trial in range(10):
        (designed,) = search.ask(1, [], AskKey(trial, trial))
        search.tell([Observation(trial, designed.point, value(designed.point))])
    bring_up_to_date(search)
    # In all conditions it said 0.006, where 0.1 was left.
    assert search.remaining_gain() is None


def _missed(search: BestForEach, load: float) -> float:
    found = search.recommend(SPACE.domain.holding({1: load}))
    assert found is not None
    return -value(found.point)


def test_where_the_condition_is_held_the_trial_is_in_it(searched: BestForEach) -> None:
    within = SPACE.domain.holding({1: 0.37})
    (found,) = searched.ask(1, [], AskKey(15, 15, within))
    assert found.point[1] == 0.37


def test_the_best_of_each_condition_keeps_to_what_ties_settings_to_it() -> None:
    grounds = Grounds(TIED.domain, conditions(TIED))
    rng = np.random.default_rng(0)
    best, reached = grounds.best(lambda points: points[:, 0], TIED.domain.sample(20, rng), rng)
    assert np.array_equal(best[:, 2], conditions(TIED).points[:, 0])
    loads = np.array([TIED.decode(point)["load"] for point in best])
    assert reached == pytest.approx(1.0 - 0.25 * loads, abs=0.02)
    assert TIED.domain.feasible(best).all()


def test_a_condition_without_feasible_settings_has_none() -> None:
    tied = Space.from_description({"x": (0.5, 1.0), "load": LOAD}, ["x + load <= 1"])
    grounds, rng = Grounds(tied.domain, conditions(tied)), np.random.default_rng(0)
    _, reached = grounds.best(lambda points: points[:, 0], tied.domain.sample(20, rng), rng)
    assert np.array_equal(np.isfinite(reached), conditions(tied).points[:, 0] <= 0.5)


def test_where_next_to_nothing_is_feasible_points_stay_in_the_cube() -> None:
    tied = Space.from_description(
        {"x": (0.0, 1.0), "y": (0.0, 1.0), "load": LOAD}, ["x ** 2 + y ** 2 <= 1e-6"]
    )
    grounds, rng = Grounds(tied.domain, conditions(tied)), np.random.default_rng(0)
    assert not any(grounds.has_any), "none is found by chance"
    best, reached = grounds.best(lambda points: -points[:, 0], np.zeros((1, 3)), rng)
    assert np.isfinite(reached).all()
    assert ((best >= 0.0) & (best <= 1.0)).all()


def test_the_last_of_few_settings_is_chosen_by_what_is_believed() -> None:
    few = Space.from_description(
        {
            "kind": {"type": "choice", "values": list("abcdef")},
            "load": {"type": "ordered", "values": [1, 2], "in_use": "evenly"},
        }
    )
    problem = Problem(few.domain, seed=0, noise=Noise("known", 0.0), in_use=conditions(few))
    search = registry.build("auto", problem)
    points = [few.encode({"kind": kind, "load": load}) for kind in "abcdef" for load in (1, 2)]
    left = points.pop()
    search.tell([Observation(i, point, float(-i)) for i, point in enumerate(points)])
    bring_up_to_date(search)
    (found,) = search.ask(1, [], AskKey(11, 11))
    assert found.point == pytest.approx(left)
    assert found.why["source"] == "model"
