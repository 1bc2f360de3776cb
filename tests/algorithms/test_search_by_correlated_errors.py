"""A fit whose errors hang together: searched as if outcomes had been whitened beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.composite_search import CompositeSearch
from orchestrator.arrays import FloatArray
from orchestrator.computed_objective import Misfit, misfit_to
from orchestrator.fit_targets import AnyTarget, CurveTarget, Target
from orchestrator.unit_cube.domain import Domain

TIMES = np.linspace(0.0, 1.0, 12)
TRUTH = np.array([0.4, 0.7])
SHARED = 0.04 * np.eye(14) + 0.5
"""Of a calibration that all sensors share, beside noise of their own."""


def measured(u: FloatArray) -> FloatArray:
    curve = 3.0 * u[1] * np.exp(-2.0 * u[0] * TIMES)
    return np.array([2.0 * u[0], *curve, u[0] + np.sin(u[1])])


def targets(values: FloatArray) -> dict[str, AnyTarget]:
    rate, *curve, sum_of = values.tolist()
    return {
        "rate": Target(rate, told=False),
        "curve": CurveTarget(tuple(curve), (1.0,) * 12, told=False),
        "sum": Target(sum_of, told=False),
    }


TOGETHER = misfit_to(targets(measured(TRUTH)), tuple(map(tuple, SHARED.tolist())), -1.0, 2)


def apart(outcomes: FloatArray) -> FloatArray:
    """Whitened with numbers first, as no code here is asked to."""
    order = np.array([0, 13, *range(1, 13)])
    lower = np.linalg.cholesky(SHARED[np.ix_(order, order)])
    found = np.empty(14)
    found[order] = np.linalg.solve(lower, (outcomes - measured(TRUTH))[order])
    return found


def plain(target: AnyTarget) -> AnyTarget:
    """With an error of 1 that was told."""
    return replace(target, told=True)


APART = Misfit({name: plain(one) for name, one in targets(np.zeros(14)).items()}, -1.0, 2)


def searched(
    name: str, misfit: Misfit, outcomes: Callable[[FloatArray], FloatArray], trials: int
) -> tuple[CompositeSearch, list[Observation]]:
    problem = Problem(Domain.continuous(2), seed=3, noise=Noise("known", 0.0), composite=misfit)
    search = registry.build(name, problem)
    assert isinstance(search, CompositeSearch)
    results: list[Observation] = []
    for trial in range(1, trials + 1):
        (suggestion,) = search.ask(1, [], AskKey(trial, trial))
        came = outcomes(suggestion.point)
        value = float(misfit.values(came[None, None, :], suggestion.point[None, :])[0, 0])
        results.append(Observation(trial, suggestion.point, value, outcomes=came))
        search.tell(results[-1:])
    return search, results


@pytest.mark.parametrize("name", ["auto", "posterior"])
def test_it_goes_where_it_would_if_outcomes_had_been_whitened(name: str) -> None:
    _, hanging = searched(name, TOGETHER, measured, 6)
    _, whitened = searched(name, APART, lambda u: apart(measured(u)), 6)
    for one, other in zip(hanging, whitened, strict=True):
        assert one.point == pytest.approx(other.point, abs=1e-4)
        assert one.value == pytest.approx(other.value, rel=1e-3, abs=1e-6)


def test_it_comes_near_and_tells_of_outcomes_as_evaluations_return_them() -> None:
    search, results = searched("auto", TOGETHER, measured, 8)
    best = max(results, key=lambda one: one.value or -np.inf)
    assert best.value == pytest.approx(0.0, abs=1e-3)
    assert np.abs(best.point - TRUTH).max() < 0.01
    (suggestion,) = search.ask(1, [], AskKey(9, 9))
    truth = measured(suggestion.point)[[0, 13]]
    assert [one["mean"] for one in suggestion.why["outcomes"]] == pytest.approx(truth, abs=0.02)
    assert all(one["deviation"] < 0.05 for one in suggestion.why["outcomes"])


def test_one_outcome_that_diverged_is_no_success_and_others_go_on() -> None:
    def diverging(u: FloatArray) -> FloatArray:
        came = measured(u)
        return came * np.where(np.arange(14) == 5, 1e30 if u[0] > 0.8 else 1.0, 1.0)

    _, results = searched("auto", TOGETHER, diverging, 8)
    assert max(one.value or -np.inf for one in results) > -1.0
    assert sum(one.point[0] > 0.8 for one in results[4:]) <= 2
