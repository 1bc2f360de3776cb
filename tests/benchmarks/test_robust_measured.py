"""What is compared of settings that hold up: functions whose best average is known, and readings of runs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.contenders.robust import Job, Run
from benchmarks.functions.robust import ROBUST, highest_average
from benchmarks.robust import page, recommendations


def test_the_average_is_over_where_a_point_comes_out() -> None:
    function = ROBUST["bowl"]
    centre = np.array([0.3, 0.6, 0.45, 0.7])
    # Of a square, off evenly by up to w, it is w^2 / 3.
    assert function.average(centre) == pytest.approx(-15.0 * 0.1**2 / 3.0, rel=1e-3)
    assert highest_average(function) == pytest.approx(function.average(centre), abs=1e-5)


@pytest.mark.parametrize("name", ["needle", "twin", "cliff", "ripples", "twin of 3", "ridge", "twin of 6"])
def test_the_best_point_as_set_is_not_the_best_on_average(name: str) -> None:
    function = ROBUST[name]
    points = np.random.default_rng(1).random((20_000, function.dimension))
    best = points[np.argmax(function.evaluate(points))]
    assert function.average(best) < highest_average(function) - 0.02


def test_of_a_run_that_was_told_its_own_recommendation_counts_and_of_others_the_rest() -> None:
    told, untold = (Job("auto", "bowl", 0, is_told) for is_told in (True, False))
    runs = [Run(told, (-1.0, -0.9, -0.8), 0.1), Run(untold, (-0.7, -0.6), 0.1)]
    runs.append(Run(Job("random", "bowl", 0), (-0.5, -0.4), 0.1))
    found = {one.job.title: one.values[0] for one in recommendations(runs)}
    assert found == {
        "auto, told": -0.8,
        "auto, best trial": -0.7,
        "auto, afterwards": -0.6,
        "random, afterwards": -0.4,
    }


def test_the_page_says_how_many_runs_ended_on_another_hill() -> None:
    averages = (-1.0, -0.05, -0.06)
    runs = [
        Run(Job("auto", "bowl", seed, told=True), (*averages[:2], last), 0.1)
        for seed, last in enumerate(averages)
    ]
    assert "below the highest average: of `auto, told` 1 of 3 runs." in page(runs)
