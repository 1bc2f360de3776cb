"""Where settings will be a little off, `auto` looks for what is best on average over that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem, Suggestion
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.registry import build
from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import Off, SettingsOff

WIDTH = 0.1
PLACES = np.array([0.0, 1.0])
OFF = SettingsOff.of([Off(0, WIDTH, PLACES, PLACES)])
BROAD, NARROW = 0.7, 0.25


def hills(x: FloatArray) -> FloatArray:
    """A broad hill, and a narrow one that is higher."""
    broad = np.exp(-((x - BROAD) ** 2) / (2.0 * 0.15**2))
    return np.asarray(broad + 1.3 * np.exp(-((x - NARROW) ** 2) / (2.0 * 0.04**2)))


def average(x: float) -> float:
    return float(hills(np.clip(x + WIDTH * np.linspace(-1.0, 1.0, 401), 0.0, 1.0)).mean())


def searched(
    problem: Problem, trials: int, evaluate: Callable[[FloatArray], float | None]
) -> tuple[Auto, list[Suggestion]]:
    auto, asked = Auto(problem, AutoOptions(start_points=6)), []
    for trial in range(1, trials + 1):
        while (number := auto.refit_due()) is not None:
            auto.adopt(auto.compute_refit(number))
        (suggestion,) = auto.ask(1, [], AskKey(trial, trial))
        auto.tell([Observation(trial, suggestion.point, evaluate(suggestion.point))])
        asked.append(suggestion)
    return auto, asked


def problem(off: SettingsOff | None = OFF, noise: Noise | None = None) -> Problem:
    return Problem(Domain.continuous(1), seed=1, noise=noise or Noise("known", 0.0), trials=16, off=off)


@pytest.fixture(scope="module")
def told() -> tuple[Auto, list[Suggestion]]:
    """A search that is told how far settings will be off."""
    return searched(problem(), 16, lambda x: float(hills(x)[0]))


def test_the_narrow_hill_is_not_recommended_however_high_its_top(told: tuple[Auto, list[Suggestion]]) -> None:
    auto, asked = told
    best = auto.insight().believed_best
    assert best is not None
    recommended = float(asked[best.trial - 1].point[0])
    assert abs(recommended - BROAD) < 0.02
    assert best.predicted.mean == pytest.approx(average(recommended), abs=0.02)


def test_a_narrow_hill_that_is_found_last_is_not_recommended_by_what_is_hardly_known_of_it() -> None:
    tried = [0.673, 0.396, 0.081, 0.866, 0.933, 0.156, 0.336, 0.621, 0.562, 0.277]
    tried += [0.697, 0.65, 0.601, 0.0, 0.637, 1.0, 0.035, 0.79, 0.215, 0.264]
    points = np.array(tried)[:, None]
    values = np.exp(-((points - 0.65) ** 2) / (2.0 * 0.15**2))
    values += 1.5 * np.exp(-((points - 0.22) ** 2) / (2.0 * 0.02**2))
    off = SettingsOff.of([Off(0, 0.05, PLACES, PLACES)])
    auto = Auto(replace(problem(off), trials=len(tried)), AutoOptions())
    auto.tell([Observation(i, points[i], float(values[i, 0])) for i in range(len(points))])
    auto.adopt(auto.compute_refit(1))
    best = auto.insight().believed_best
    assert best is not None
    assert tried[best.trial] == 0.65
    recommended = auto.recommend(None)
    assert recommended is not None
    assert abs(float(recommended.point[0]) - 0.65) < 0.01


def test_some_evaluations_lie_beside_where_they_tell_more_of_the_average(
    told: tuple[Auto, list[Suggestion]],
) -> None:
    reasons = [suggestion.why["off"] for suggestion in told[1] if "off" in suggestion.why]
    assert len(reasons) == 10
    assert all(0.0 <= one["told"] <= 1.0 for one in reasons)
    assert {one["beside"] for one in reasons} == {False, True}


def test_it_works_beside_noise_failures_and_workers() -> None:
    luck = np.random.default_rng(0)

    def evaluate(x: FloatArray) -> float | None:
        return None if 0.4 < x[0] < 0.5 else float(hills(x)[0] + 0.05 * luck.standard_normal())

    auto, _ = searched(problem(noise=Noise()), 10, evaluate)
    pending = [np.array([0.66]), np.array([0.71])]
    asked = auto.ask(2, pending, AskKey(11, 11))
    assert len({float(one.point[0]) for one in asked} | {0.66, 0.71}) == 4
    assert auto.insight().believed_best is not None
    assert auto.recommend(None) is not None


def test_constraints_between_parameters_are_about_what_is_asked_for() -> None:
    from orchestrator.parameters.space import Space
    from orchestrator.parameters.tolerances import settings_off

    described = {
        "a": {"type": "float", "bounds": [0, 1], "tolerance": 0.1},
        "b": {"type": "int", "bounds": [0, 4]},
    }
    space = Space.from_description(described, ["a <= 0.6", "b >= 1"])
    told = Problem(space.domain, noise=Noise("known", 0.0), off=settings_off(space))
    _, asked = searched(told, 9, lambda x: float(hills(x[:1])[0] + x[1]))
    assert all(not space.broken_by(space.decode(one.point)) for one in asked)


def test_what_is_left_to_gain_is_not_foreseen(told: tuple[Auto, list[Suggestion]]) -> None:
    auto, _ = told
    assert auto.remaining_gain() is None


def test_without_tolerances_nothing_is_believed_best_of_exact_values() -> None:
    auto, asked = searched(problem(off=None), 7, lambda x: float(hills(x)[0]))
    assert auto.insight().believed_best is None
    assert all("off" not in suggestion.why for suggestion in asked)


@pytest.mark.parametrize("name", ["explore", "gp-ei", "random"])
def test_other_algorithms_refuse(name: str) -> None:
    with pytest.raises(SpecError, match="looks for what is best on average"):
        build(name, problem())
