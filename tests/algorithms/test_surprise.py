"""What was told since a refit may show that it was wrong: then the next one does not wait for its turn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from additive_stories import built, told, two_bowls

from orchestrator.algorithms.base import Observation

RESULTS = 40
"""After so many the next refit has its turn eight later."""


def due_after(
    name: str, values: list[float | None], noise: float = 0.0, results: int = RESULTS
) -> list[int | None]:
    """The refit that is due once each of values, so far off what the function is, was told, in turn."""
    rng = np.random.default_rng(3)
    points = rng.random((results + len(values), 3))

    def terms(point: np.ndarray) -> np.ndarray:
        return two_bowls(point) + noise * rng.normal(size=2)

    algorithm, due = told(built(name, 3), terms, points[:results]), list[int | None]()
    for trial, (point, off) in enumerate(zip(points[results:], values, strict=True), results):
        value = None if off is None else float(terms(point).sum()) + off
        algorithm.tell([Observation(trial, point, value)])
        due.append(algorithm.refit_due())
    return due


def waits_between_refits(name: str, offsets: list[float]) -> list[int]:
    """How many results came between refits, when values so far off what the function is were told."""
    points = np.random.default_rng(3).random((RESULTS + len(offsets), 3))
    algorithm = told(built(name, 3), two_bowls, points[:RESULTS])
    waits, last = [], RESULTS
    for trial, (point, off) in enumerate(zip(points[RESULTS:], offsets, strict=True), RESULTS):
        algorithm.tell([Observation(trial, point, float(two_bowls(point).sum()) + off)])
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
            waits.append(trial + 1 - last)
            last = trial + 1
    return waits


@pytest.mark.parametrize("name", ["add-gp-ucb", "dec-hbo", "dumbo"])
def test_results_far_from_what_was_predicted_have_the_model_fitted_anew(name: str) -> None:
    assert due_after(name, [0.0, 0.0, 0.0, 0.0]) == [None] * 4
    assert due_after(name, [9.0, -9.0, 9.0]) == [None, None, 2]


def test_among_many_results_a_hundredth_of_them_comes_between() -> None:
    assert due_after("add-gp-ucb", [9.0, -9.0, 9.0, -9.0, 9.0], results=500) == [None] * 4 + [2]


def test_a_function_that_surprises_every_model_is_refitted_less_and_less_often() -> None:
    waits = waits_between_refits("dumbo", [1e3 * 4.0**trial for trial in range(30)])
    assert waits[:2] == [3, 6]
    assert min(waits[2:]) >= 9, "as without surprises: a fifth of what the last refit saw"


def test_once_a_model_has_predicted_well_the_next_surprise_is_answered_at_once_again() -> None:
    noise = 9.0 * np.random.default_rng(0).normal(size=15)
    waits = waits_between_refits("dumbo", [9.0, -9.0, 9.0, *noise, 900.0, -900.0, 900.0])
    assert waits == [3, 6, 9, 3]


def test_in_noise_results_lie_off_without_surprise() -> None:
    assert due_after("dumbo", [0.0] * 7, noise=0.3) == [None] * 7


def test_failures_say_nothing_of_what_was_predicted() -> None:
    assert due_after("dumbo", [None] * 6) == [None] * 6
    assert due_after("dumbo", [None, 9.0, None, None, -9.0, None]) == [None] * 6


def test_without_early_refits_the_next_has_its_turn_whatever_is_told() -> None:
    algorithm = told(
        built("dumbo", 3, {"early_refits": False}), two_bowls, np.random.default_rng(3).random((40, 3))
    )
    for trial in range(40, 46):
        algorithm.tell([Observation(trial, np.full(3, math.sin(trial) ** 2), 1e3 * trial)])
    assert algorithm.refit_due() is None
