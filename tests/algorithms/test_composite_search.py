"""A search by what outcomes mean: it uses what is known of the objective, and comes near with few trials."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.composite_search import CompositeSearch
from orchestrator.computed_objective import Misfit, of_formula
from orchestrator.fit_targets import Target
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain

EXACT = Noise("known", 0.0)


def bent(u: np.ndarray) -> np.ndarray:
    """Of a point of the square; both are 0 at (0.6, 0.56)."""
    return np.array([10.0 * (u[1] - u[0] ** 2 - 0.2), 1.0 - u[0] / 0.6])


FITTED = Misfit({"y": Target(0.0), "z": Target(0.0)}, -1.0, 2)
PLANE = Problem(Domain.continuous(2), seed=2, noise=EXACT, composite=FITTED)


def told(trial: int, point: np.ndarray, outcomes: np.ndarray, problem: Problem = PLANE) -> Observation:
    assert problem.composite is not None
    value = float(problem.composite.values(outcomes[None, None, :], point[None, :])[0, 0])
    return Observation(trial, point, value, outcomes=outcomes)


def searched(
    problem: Problem, trials: int, outcomes: Callable[[np.ndarray], np.ndarray | None] = bent
) -> tuple[CompositeSearch, list[Observation]]:
    search = registry.build("auto", problem)
    assert isinstance(search, CompositeSearch)
    results: list[Observation] = []
    for trial in range(1, trials + 1):
        (suggestion,) = search.ask(1, [], AskKey(trial, trial))
        came = outcomes(suggestion.point)
        point = suggestion.point
        results.append(Observation(trial, point, None) if came is None else told(trial, point, came, problem))
        search.tell(results[-1:])
    return search, results


@pytest.fixture(scope="module")
def found() -> tuple[CompositeSearch, list[Observation]]:
    return searched(PLANE, 11)


def test_a_bent_valley_is_no_difficulty_where_its_parts_are_simple(
    found: tuple[CompositeSearch, list[Observation]],
) -> None:
    _, results = found
    assert -max(one.value for one in results if one.value is not None) < 1e-4


def test_what_is_recommended_is_expected_to_be_best(found: tuple[CompositeSearch, list[Observation]]) -> None:
    search, results = found
    recommended = search.recommend(None)
    assert recommended is not None
    assert recommended.predicted is not None
    assert np.abs(recommended.point - [0.6, 0.56]).max() < 0.01
    assert recommended.predicted.mean > max(results[k].value or -np.inf for k in range(4))


def test_told_one_by_one_or_together_it_asks_the_same(
    found: tuple[CompositeSearch, list[Observation]],
) -> None:
    search, results = found
    resumed = registry.build("auto", PLANE)
    resumed.tell(results[:7])
    resumed.tell(results[7:])
    key, running = AskKey(12, 12), [np.array([0.2, 0.9])]
    once, again = search.ask(2, running, key), resumed.ask(2, running, key)
    assert [one.point.tolist() for one in once] == [one.point.tolist() for one in again]
    assert once[0].predicted == again[0].predicted
    assert not (once[0].point == once[1].point).all()


def test_to_another_algorithm_the_value_is_one_as_any() -> None:
    other = registry.build("sobol", PLANE)
    (suggestion,) = other.ask(1, [], AskKey(1, 1))
    other.tell([told(1, suggestion.point, bent(suggestion.point))])


def test_where_evaluations_fail_it_keeps_away() -> None:
    def outcomes(u: np.ndarray) -> np.ndarray | None:
        return None if u[0] < 0.4 else bent(u)

    _, results = searched(PLANE, 10, outcomes)
    assert sum(one.value is None for one in results[4:]) <= 2
    assert -max(one.value for one in results if one.value is not None) < 0.05


def test_constraints_on_outcomes_are_weighed() -> None:
    problem = replace(PLANE, outcome_constraints=1)
    search = registry.build("auto", problem)
    for trial in range(1, 11):
        (suggestion,) = search.ask(1, [], AskKey(trial, trial))
        one = told(trial, suggestion.point, bent(suggestion.point))
        search.tell([replace(one, slacks=np.array([0.5 - suggestion.point[0]]))])
    (last,) = search.ask(1, [], AskKey(11, 11))
    assert 0.4 < last.point[0] < 0.53
    assert 0.0 < last.why["feasible"] <= 1.0


def test_where_nothing_is_likely_to_satisfy_them_what_is_nearest_to_it_is_recommended() -> None:
    problem = replace(PLANE, outcome_constraints=1)
    search = registry.build("auto", problem)
    assert isinstance(search, CompositeSearch)
    for trial, u in enumerate(np.random.default_rng(0).random((7, 2)), 1):
        lacking = replace(told(trial, u, bent(u), problem), slacks=(-1.0 - u[0],))
        search.tell([lacking])
    with np.errstate(all="raise", under="ignore"):
        recommended = search.recommend(None)
    assert recommended is not None
    assert recommended.point[0] < 0.1


def test_outcomes_of_any_size_are_calculated_with() -> None:
    domain = PLANE.domain
    space = Space.from_description({"a": (0.0, 1.0), "b": (0.0, 1.0)})
    grown = of_formula("exp(y)", ["y"], space, 1.0)
    for function, size in ((FITTED, 1e-30), (FITTED, 1e30), (FITTED, 1e150), (grown, 300.0)):
        problem = replace(PLANE, domain=domain, composite=function)
        search = registry.build("auto", problem)
        assert isinstance(search, CompositeSearch)
        for trial, u in enumerate(np.random.default_rng(0).random((6, 2)), 1):
            came = size * (bent(u) / 10.0)[: function.outcomes]
            value = float(np.nan_to_num(function.values(came[None, None, :], u[None, :])[0, 0]))
            search.tell([Observation(trial, u, float(np.clip(value, -1e150, 1e150)), outcomes=came)])
        with np.errstate(all="raise", under="ignore"):
            (asked,) = search.ask(1, [], AskKey(7, 7))
        assert asked.predicted is not None
        assert np.isfinite([asked.predicted.mean, asked.predicted.deviation]).all()


def test_parameters_of_a_formula_whole_numbers_and_choices_are_searched_where_some_are_held() -> None:
    space = Space.from_description(
        {
            "a": (0.0, 1.0),
            "n": {"type": "int", "bounds": [1, 6]},
            "kind": {"type": "choice", "values": ["x", "y"]},
        }
    )
    formula = of_formula("gain - 0.3 * n * a", ["gain"], space, 1.0)
    problem = Problem(space.domain, noise=EXACT, composite=formula)

    def outcomes(point: np.ndarray) -> np.ndarray:
        at = space.decode(point)
        return np.array([at["n"] * (1.0 + (at["kind"] == "y")) * at["a"] ** 0.5])

    search, results = searched(problem, 12, outcomes)
    best = max(results, key=lambda one: one.value or -np.inf)
    assert space.decode(best.point)["kind"] == "y"
    assert space.decode(best.point)["n"] == 6
    held = space.domain.holding({2: space.encode({"a": 0.0, "n": 1, "kind": "x"})[2]})
    (suggestion,) = search.ask(1, [], AskKey(13, 13, held))
    assert space.decode(suggestion.point)["kind"] == "x"


def test_noise_of_outcomes_is_inferred_and_the_best_is_what_is_believed() -> None:
    rng = np.random.default_rng(0)
    noisy = replace(PLANE, noise=Noise())
    search, results = searched(noisy, 12, lambda u: bent(u) + 0.05 * rng.standard_normal(2))
    best = search.insight().believed_best
    assert best is not None
    assert best.predicted.deviation > 0.0
    assert np.abs(results[best.trial - 1].point - [0.6, 0.56]).max() < 0.25


def test_a_curve_of_many_points_is_fitted_by_one_kernel() -> None:
    times = np.linspace(0.1, 3.0, 30)
    curve = np.exp(-2.0 * times * 0.35) * np.cos(4.0 * times * 0.7)
    fitted = Misfit({f"t{k}": Target(float(y), 0.05) for k, y in enumerate(curve)}, -1.0, 2)
    problem = Problem(Domain.continuous(2), noise=EXACT, composite=fitted)
    search, results = searched(
        problem, 12, lambda u: np.exp(-2.0 * times * u[0]) * np.cos(4.0 * times * u[1])
    )
    assert -max(one.value for one in results if one.value is not None) < 0.1
    assert list(search.insight().hyperparameters) == ["outcomes 1 to 30"]
