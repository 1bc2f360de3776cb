"""What is recommended where a model takes values for noisy, and nobody has seen that they are."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.algorithms.base import Noise, Observation, Problem
from orchestrator.algorithms.gaussian_process.chance_of_exact import EXACT_ALL_THE_SAME, chance_of_exact
from orchestrator.algorithms.history import History
from orchestrator.unit_cube.domain import Domain


def ripples(x: float) -> float:
    """On a wide hill, much finer than results lie apart."""
    return float(-2.0 * (x - 0.4) ** 2 + 0.1 * np.sin(97711.0 * x))


@pytest.fixture(scope="module")
def rippled() -> Optimiser:
    optimiser = Optimiser({"x": (0.0, 1.0)}, noise="unknown", seed=2)
    for x in np.random.default_rng(2).random(20).tolist():
        optimiser.learn({"x": x}, ripples(x))
    return optimiser


def test_of_what_may_be_detail_the_trial_that_came_out_best_is_recommended(rippled: Optimiser) -> None:
    best, found = rippled.best(), rippled.recommend()
    assert found.parameters == pytest.approx(best.parameters)
    assert found.predicted.mean < best.value - 0.05


def told(values_at: list[tuple[float, float]], noise: Noise | None = None, **beside: float) -> float:
    """How likely values are exact, of a function of one parameter."""
    problem = Problem(Domain.continuous(1), noise=noise or Noise())
    history = History(problem.domain)
    for number, (x, value) in enumerate(values_at):
        history.tell(Observation(number, np.array([x]), value, **beside))  # type: ignore[arg-type]
    return chance_of_exact(problem, history)


def test_values_may_be_exact_until_a_point_comes_out_otherwise() -> None:
    assert told([(0.1, 1.0), (0.2, 1.0)]) == EXACT_ALL_THE_SAME
    assert told([(0.1, 1.0), (0.2, 3.0), (0.1, 1.0)]) == EXACT_ALL_THE_SAME
    assert told([(0.1, 1.0), (0.2, 3.0), (0.1, 1.5)]) == 0.0


def test_nor_may_they_be_where_something_is_told_of_noise() -> None:
    assert told([(0.1, 1.0)], Noise("known", 0.1)) == 0.0
    assert told([(0.1, 1.0)], variance=0.1) == 0.0
