"""A search by curves, or where outcomes diverge: few numbers tell a curve; what diverged tells nothing."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.acquisition.curve_components import MOST_COMPONENTS, Curve, CurveComponents
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.composite.diverged import Usual, most_best
from orchestrator.algorithms.composite.modelled_outcomes import ModelledOutcomes
from orchestrator.computed_objective import Misfit
from orchestrator.fit_targets import AnyTarget, CurveTarget, Target
from orchestrator.unit_cube.domain import Domain

TIMES = np.linspace(0.1, 3.0, 2_000)


def swings(u: np.ndarray) -> np.ndarray:
    return np.exp(-2.0 * TIMES * u[0]) * np.cos(4.0 * TIMES * u[1])


def fit_of(targets: dict[str, AnyTarget]) -> Misfit:
    return Misfit(targets, -1.0, 2)


def searched(problem: Problem, trials: int, outcomes) -> list[Observation]:
    search, results = registry.build("auto", problem), list[Observation]()
    assert problem.composite is not None
    for trial in range(1, trials + 1):
        (suggestion,) = search.ask(1, [], AskKey(trial, trial))
        came = outcomes(trial, suggestion.point)
        value = float(problem.composite.values(came[None, None], suggestion.point[None])[0, 0])
        results.append(Observation(trial, suggestion.point, value, outcomes=came))
        search.tell(results[-1:])
    return results


def test_a_curve_of_thousands_of_points_is_fitted_by_its_components() -> None:
    target = CurveTarget(tuple(swings(np.array([0.35, 0.7])).tolist()), (0.4,) * len(TIMES))
    problem = Problem(Domain.continuous(2), noise=Noise("known", 0.0), composite=fit_of({"swing": target}))
    results = searched(problem, 12, lambda _, u: swings(u))
    assert max(one.value or -np.inf for one in results) > -1.0
    again = registry.build("auto", problem)
    again.tell(results)
    names = list(again.insight().hyperparameters)
    assert names[0] == "curve 1, component 1"
    assert len(names) <= MOST_COMPONENTS


def test_of_a_misfit_components_lose_nothing_but_what_they_leave_out() -> None:
    rng = np.random.default_rng(0)
    errors = rng.uniform(0.1, 3.0, 40)
    curves = rng.standard_normal((9, 3)) @ rng.standard_normal((3, 40))
    targets: dict[str, AnyTarget] = {
        "peak": Target(2.0, 0.5),
        "curve": CurveTarget(tuple(rng.standard_normal(40)), tuple(errors)),
        "width": Target(-1.0, 2.0),
    }
    told = np.hstack([rng.standard_normal((9, 1)), curves, rng.standard_normal((9, 1))])
    misfit, points = fit_of(targets), rng.random((9, 2))
    modelled = ModelledOutcomes.of(misfit, points, told, np.arange(9))
    assert modelled.function.outcomes == 5
    assert modelled.scalar_count == 2
    assert modelled.values(told, points) == pytest.approx(misfit.values(told[None], points)[0])


def test_components_are_taken_until_next_to_nothing_is_left() -> None:
    rng = np.random.default_rng(1)
    curve = Curve(slice(0, 30), np.full(30, 0.1))
    few = rng.standard_normal((12, 2)) @ rng.standard_normal((2, 30))
    found = CurveComponents.of(curve, few)
    assert len(found.directions) == 2
    assert found.curves(found.weights(few)) == pytest.approx(few)
    assert len(CurveComponents.of(curve, rng.standard_normal((40, 30))).directions) == MOST_COMPONENTS
    assert len(CurveComponents.of(curve, few[:1]).directions) == 1


def bent(u: np.ndarray) -> np.ndarray:
    return np.array([10.0 * (u[1] - u[0] ** 2 - 0.2), 1.0 - u[0] / 0.6])


def test_one_outcome_that_diverges_blinds_nobody() -> None:
    problem = Problem(
        Domain.continuous(2),
        seed=2,
        noise=Noise("known", 0.0),
        composite=fit_of({"y": Target(0.0), "z": Target(0.0)}),
    )
    results = searched(problem, 11, lambda trial, u: bent(u) if trial != 2 else np.array([1e30, bent(u)[1]]))
    assert max(one.value or -np.inf for one in results) > -1e-4


def test_what_is_usual_goes_by_results_far_apart_and_by_the_best() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.random((20, 2)), 0.5 + 1e-6 * rng.standard_normal((80, 2))])
    Y = X[:, :1].copy()
    Y[3] = -1e30
    fit = fit_of({"y": Target(0.0, 0.1)})
    learned = Usual.of(fit, X, Y, np.arange(20, 20 + most_best(len(X)))).among(Y)
    assert np.flatnonzero(np.isnan(learned)).tolist() == [3]
    assert not np.isnan(Usual.of(fit, X, Y, np.array([3])).among(Y)).any()


def test_what_is_seen_nearly_nowhere_has_not_diverged_where_it_is_seen() -> None:
    X = np.random.default_rng(0).random((40, 2))
    seen = np.exp(-np.square((X - 0.5) / 0.05).sum(axis=1))[:, None]
    assert np.median(seen) < 1e-9 < 0.1 < seen.max()
    farthest = np.array([int(np.argmin(seen))])
    assert not np.isnan(Usual.of(fit_of({"y": Target(0.0, 0.02)}), X, seen, farthest).among(seen)).any()
    seen[7] = 1e6
    lost = np.isnan(Usual.of(fit_of({"y": Target(0.0, 0.02)}), X, seen, farthest).among(seen))
    assert np.flatnonzero(lost).tolist() == [7]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("largest", [1e306, 1.7e308])
def test_where_most_reach_as_far_as_doubles_do_nothing_has_diverged(largest: float) -> None:
    Y = largest * np.linspace(-1.0, 1.0, 9)[:, None]
    X = np.linspace(0.0, 1.0, 9)[:, None]
    assert not np.isnan(Usual.of(fit_of({"y": Target(0.0)}), X, Y, np.array([4])).among(Y)).any()


def test_a_curve_of_which_one_point_diverged_is_no_curve_that_is_learned() -> None:
    rng = np.random.default_rng(0)
    X, curves = rng.random((12, 2)), rng.standard_normal((12, 20))
    told = np.hstack([rng.standard_normal((12, 1)), curves])
    told[4, 7] = 1e25
    targets: dict[str, AnyTarget] = {"peak": Target(0.0), "curve": CurveTarget((0.0,) * 20, (1.0,) * 20)}
    modelled = ModelledOutcomes.of(fit_of(targets), X, told, np.array([0]))
    numbers = modelled.numbers(told)
    assert np.flatnonzero(np.isnan(numbers).any(axis=1)).tolist() == [4]
    assert numbers[4, 0] == told[4, 0]
    assert np.isnan(numbers[4, 1:]).all()


@pytest.mark.parametrize("size", [1.0, 2.0**660, 2.0**-660])
def test_outcomes_of_any_size_are_learned_alike(size: float) -> None:
    targets: dict[str, AnyTarget] = {"y": Target(0.0, 0.1 * size), "z": Target(0.0, 0.1 * size)}
    problem = Problem(Domain.continuous(2), noise=Noise("known", 0.0), composite=fit_of(targets))
    results = searched(problem, 8, lambda _, u: size * bent(u))
    assert max(one.value or -np.inf for one in results) == pytest.approx(-0.00508, rel=0.01)
