"""Auto while parameters are held: all that it knows of is used there, and nothing that it does there spoils
the rest.
"""

from __future__ import annotations

import copy
import functools
import math

import numpy as np
import pytest

from orchestrator import Optimiser, Plan
from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.python_interface.answers import Asked
from orchestrator.unit_cube.domain import Domain

EXACT = Noise("known", 0.0)
CUBE = {"x": (0.0, 1.0), "y": (0.0, 1.0), "c": (0.0, 1.0)}


def bowl(x: float, y: float, c: float) -> float:
    """Best where x is c and y 0.3; the less c, the less good."""
    return 5.0 * c - (x - c) ** 2 - (y - 0.3) ** 2


def with_a_region() -> Auto:
    """Told enough of a bowl to have a region about the best point."""
    problem = Problem(Domain.continuous(3), seed=1, noise=EXACT, start_points=8)
    auto = Auto(problem, AutoOptions(refit_every=3))
    for trial in range(14):
        if (number := auto.refit_due()) is not None:
            auto.adopt(auto.compute_refit(number))
        (suggestion,) = auto.ask(1, [], AskKey(trial, trial))
        auto.tell([Observation(trial, suggestion.point, bowl(*suggestion.point))])
    auto.adopt(auto.compute_refit(auto._learned.refit.number + 1))
    assert auto._local.region is not None
    return auto


@functools.cache
def only_asked() -> Auto:
    """The like, which is told nothing more: it is the same for all tests."""
    return with_a_region()


def test_results_that_are_no_better_say_nothing_of_the_region_or_of_what_has_earned_trials() -> None:
    auto = copy.deepcopy(only_asked())
    region, credit = auto._local.region, auto._local._credit
    near = np.clip(region.centre + np.array([0.01, 0.0, 0.0]), 0.0, 1.0)
    for trial in range(20, 40):
        auto.tell([Observation(trial, near, region.best - 1.0, held=True)])
    assert auto._local.region is region
    assert auto._local._credit is credit
    # One that is better moves it there.
    auto.tell([Observation(41, near, region.best + 1.0, held=True)])
    assert np.array_equal(auto._local.region.centre, near)
    assert auto._local._credit is credit


def test_the_share_of_the_region_is_told_of_what_is_asked_for_while_nothing_is_held() -> None:
    auto = copy.deepcopy(only_asked())
    assert " % of the suggestions are for it" in " ".join(auto.insight().notes)
    auto.tell([Observation(20, np.array([0.5, 0.5, 0.5]), -9.0, held=True)])
    assert " % of the suggestions that hold nothing are for it" in " ".join(auto.insight().notes)


def test_an_ask_is_a_function_of_what_is_told_of_the_key_and_of_what_is_held() -> None:
    auto = only_asked()
    part = auto._problem.domain.holding({2: 0.25})
    before = auto.ask(2, [], AskKey(50, 50))
    held = auto.ask(2, [], AskKey(50, 50, part))
    assert all(one.point[2] == 0.25 for one in held)
    again = auto.ask(2, [], AskKey(50, 50, auto._problem.domain.holding({2: 0.25})))
    assert [one.point.tolist() for one in again] == [one.point.tolist() for one in held]
    assert [one.point.tolist() for one in auto.ask(2, [], AskKey(50, 50))] == [
        one.point.tolist() for one in before
    ]


def test_what_runs_elsewhere_does_not_hide_that_there_is_something_to_gain_here() -> None:
    auto = only_asked()
    part = auto._problem.domain.holding({2: 0.2})
    running = [np.array([0.95, 0.3, 0.97]), np.array([0.9, 0.31, 0.9])]
    (suggestion,) = auto.ask(1, running, AskKey(50, 50, part))
    assert np.abs(suggestion.point - [0.2, 0.3, 0.2]).max() < 0.1


@pytest.mark.searches
def test_values_that_are_noisy_are_averaged_over_contexts() -> None:
    optimiser = Optimiser(CUBE, seed=2, plan=Plan(trials=45))
    rng = np.random.default_rng(0)
    for _ in range(45):
        c = float(rng.random())
        (asked,) = optimiser.ask(held={"c": c})
        p = asked.parameters
        optimiser.tell(asked.trial, bowl(p["x"], p["y"], c) + 0.1 * rng.standard_normal())
    for c in (0.2, 0.5, 0.8):
        found = optimiser.recommend(held={"c": c}).parameters
        assert bowl(c, 0.3, c) - bowl(found["x"], found["y"], c) < 0.04


@pytest.mark.searches
def test_what_breaks_a_constraint_on_outcomes_in_this_context_is_kept_away_from() -> None:
    optimiser = Optimiser(CUBE, noise=0.0, seed=2, outcomes=["heat"], constraints=["heat <= 1"])

    def tell(asked: Asked) -> float:
        p = asked.parameters
        # The warmer, the less of x can be had; without that, x would be 1.
        heat = p["x"] + p["c"]
        optimiser.tell(asked.trial, p["x"] - (p["y"] - 0.4) ** 2, outcomes={"heat": heat})
        return heat

    for x, y, c in np.random.default_rng(5).random((20, 3)).tolist():
        tell(optimiser.attach({"x": x, "y": y, "c": c}))
    for c in (0.25, 0.75):
        heats = [tell(optimiser.ask(held={"c": c})[0]) for _ in range(4)]
        assert max(heat for heat in heats if heat <= 1.0) > 0.97
        assert optimiser.recommend(held={"c": c}).parameters["x"] == pytest.approx(1.0 - c, abs=0.05)


def test_where_nothing_told_here_satisfies_them_it_looks_for_what_does() -> None:
    optimiser = Optimiser(
        CUBE, options={"refit_every": 3}, noise=0.0, seed=1, outcomes=["heat"], constraints=["heat <= 0.3"]
    )
    told = [{"x": x, "y": y, "c": 0.2} for x, y in np.random.default_rng(6).random((12, 2)).tolist()]
    for number in range(21):
        asked = optimiser.attach(told[number]) if number < 12 else optimiser.ask(held={"c": 0.9})[0]
        p = asked.parameters
        heat = abs(p["x"] - p["c"]) + abs(p["y"] - p["c"])
        optimiser.tell(asked.trial, p["x"] + p["y"], outcomes={"heat": heat})
    there = [one for one in optimiser.results() if abs(one["c"] - 0.9) < 1e-9]
    assert min(one["heat"] for one in there) <= 0.3


@pytest.mark.searches
def test_the_front_grows_where_parameters_are_held() -> None:
    optimiser = Optimiser(CUBE, noise=0.0, seed=3, objectives={"cost": "minimise"})

    def tell(asked: Asked) -> tuple[float, float]:
        p = asked.parameters
        off = p["x"] - p["c"]
        optimiser.tell(
            asked.trial, -(off**2) - (p["y"] - 0.2) ** 2, outcomes={"cost": off**2 + (p["y"] - 0.8) ** 2}
        )
        return abs(off), p["y"]

    for x, y, c in np.random.default_rng(7).random((20, 3)).tolist():
        tell(optimiser.attach({"x": x, "y": y, "c": c}))
    found = [tell(optimiser.ask(held={"c": 0.65})[0]) for _ in range(8)]
    # The trade-offs of this context: x as it is, and y between the two.
    good = [y for off, y in found if off < 0.1 and 0.1 < y < 0.9]
    assert len(good) >= 5
    assert max(good) - min(good) > 0.2


def hartmann(points: np.ndarray) -> np.ndarray:
    """Of (n, 3) points."""
    sharpness = np.array([[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]])
    places = np.array(
        [[0.3689, 0.117, 0.2673], [0.4699, 0.4387, 0.747], [0.1091, 0.8732, 0.5547], [0.0381, 0.5743, 0.8828]]
    )
    squared = (sharpness * (points[:, None, :] - places) ** 2).sum(axis=2)
    return np.exp(-squared) @ np.array([1.0, 1.2, 3.0, 3.2])


def best_of_hartmann(c: float) -> float:
    x, y = np.meshgrid(np.linspace(0, 1, 401), np.linspace(0, 1, 401))
    return float(hartmann(np.column_stack([x.ravel(), y.ravel(), np.full(x.size, c)])).max())


def regrets(contexts: list[float], seed: int, algorithm: str = "auto") -> np.ndarray:
    """By how much each trial falls short of the best of its context."""
    best = {c: best_of_hartmann(c) for c in dict.fromkeys(contexts)}
    optimiser = Optimiser(CUBE, algorithm=algorithm, noise=0.0, seed=seed)
    missed = []
    for c in contexts:
        (asked,) = optimiser.ask(held={"c": c})
        value = float(hartmann(np.array([[asked.parameters[name] for name in CUBE]]))[0])
        optimiser.tell(asked.trial, value)
        missed.append(best[c] - value)
    return np.array(missed)


@pytest.mark.searches
def test_the_same_context_thirty_times_comes_to_its_best() -> None:
    for seed in range(3):
        assert regrets([0.3] * 30, seed).min() < 1e-3


@pytest.mark.searches
def test_contexts_in_turns_help_one_another() -> None:
    four = [0.1, 0.35, 0.6, 0.9]
    for seed in range(2):
        missed = regrets([four[number % 4] for number in range(40)], seed)
        assert max(missed[k::4].min() for k in range(4)) < 0.1


@pytest.mark.searches
def test_contexts_that_never_come_again_get_better_and_better_points() -> None:
    for seed in range(2):
        contexts = np.round(np.random.default_rng(seed).random(50), 3).tolist()
        missed, at_random = (regrets(contexts, seed, algorithm) for algorithm in ("auto", "random"))
        assert math.isfinite(missed.sum())
        assert np.median(missed[30:]) < 0.1 * np.median(at_random[30:])
