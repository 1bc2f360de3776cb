"""The measurement of what is known of posteriors: its fits, their truth, its measure and its page."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks.contenders.posteriors import PARTS, Run, drawn_by_a_model, run
from benchmarks.contenders.searches import EXACT, SearchJob
from benchmarks.functions import posteriors
from benchmarks.functions.posteriors import FITS, TruePosterior, posterior_of
from benchmarks.posterior import MARGINS, page
from orchestrator.algorithms.base import Problem
from orchestrator.computed_objective import Misfit
from orchestrator.fit_targets import Target
from orchestrator.sensitivity.composed import Composing
from orchestrator.unit_cube.domain import Domain


def normal() -> TruePosterior:
    """Of two parameters apart, about (0.4, 0.6) with the deviations 0.05 and 0.1."""
    points = np.random.default_rng(0).random((40_000, 2))
    weights = norm.pdf(points, [0.4, 0.6], [0.05, 0.1]).prod(axis=1)
    return TruePosterior(points, weights / weights.sum())


def test_draws_are_as_far_off_as_they_are_moved() -> None:
    true, rng = normal(), np.random.default_rng(1)
    drawn = np.array([0.4, 0.6]) + np.array([0.05, 0.1]) * rng.standard_normal((4000, 2))
    assert true.off(drawn) < 0.06
    assert true.ends_off(drawn) < 0.06
    assert [true.held(drawn, share) for share in (0.68, 0.95)] == pytest.approx([0.68, 0.95], abs=0.02)
    moved = drawn + np.array([0.05, 0.0])
    assert true.off(moved) == pytest.approx(0.5, abs=0.05)
    assert true.ends_off(moved) == pytest.approx(0.5, abs=0.05)
    assert true.held(moved, 0.68) == pytest.approx((0.68 + norm.cdf(2.0) - norm.cdf(0.0)) / 2.0, abs=0.02)


def test_every_fit_is_judged_at_several_times_and_has_a_truth_that_meets_all_targets() -> None:
    for name, fit in FITS.items():
        copy = fit.calibration.of_seed(2)
        assert copy.truth is not None, name
        outcomes = copy.outcomes(copy.truth)
        assert copy.value(copy.truth, outcomes) == 0.0
        assert len(outcomes) == fit.outcomes
        assert len({fit.evaluations // part for part in PARTS}) == len(PARTS)


def draws_worth(true: TruePosterior) -> float:
    return float(1.0 / np.square(true.weights).sum())


def test_two_kinds_that_nobody_tells_apart_have_two_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posteriors, "LOG2_EVENLY", 13)
    true = posterior_of.__wrapped__("decay", 0)
    first, second, share = true.points.T
    assert true.weights[first < second].sum() == pytest.approx(0.5, abs=0.15)
    assert true.weights @ share == pytest.approx(0.5, abs=0.1)
    assert draws_worth(true) > 50


def test_a_truth_that_is_dear_is_weighed_about_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posteriors, "ABOUT_THE_TRUTH", 60)
    true = posterior_of.__wrapped__("outbreak", 0)
    assert draws_worth(true) > 15
    truth = FITS["outbreak"].calibration.of_seed(0).truth
    assert true.weights @ true.points == pytest.approx(truth, abs=0.06)


def test_a_plane_is_known_from_a_few_points() -> None:
    rng = np.random.default_rng(0)
    points, slopes = rng.random((12, 2)), np.array([[3.0, -1.0], [1.0, 2.0]])
    target = np.array([0.4, 0.6]) @ slopes
    fit = Misfit({name: Target(float(one), 0.2) for name, one in zip("yz", target, strict=True)}, -1.0, 2)
    problem = Problem(Domain.continuous(2), noise=EXACT, composite=fit)
    drawn = drawn_by_a_model(Composing(problem, fit, points, points @ slopes, -1.0))
    covariance = 0.2**2 * np.linalg.inv(slopes @ slopes.T)
    assert drawn.mean(axis=0) == pytest.approx([0.4, 0.6], abs=0.01)
    assert np.cov(drawn.T) == pytest.approx(covariance, abs=0.2 * covariance.max())


@pytest.mark.long
def test_a_run_is_judged_after_each_part_of_its_evaluations() -> None:
    found = run(SearchJob("sobol", "valley", 0))
    assert len(found.values) == 4 * len(PARTS)
    assert found.off(15) == found.values[1]
    assert found.ends_off(30) == found.values[5]
    assert found.held(1) == (found.values[8], found.values[11])


def test_the_tables_have_medians_at_each_part_and_the_least_in_bold() -> None:
    runs = [
        Run(SearchJob(algorithm, "spill", seed), (2.0 * off, off, off / 2.0, *[off] * 9), 0.1)
        for algorithm, each in {"posterior": (0.1, 0.2, 0.4), "sobol": (0.3,)}.items()
        for seed, off in enumerate(each)
    ]
    rows = [line for line in MARGINS.of(runs).splitlines() if line.startswith("| spill")]
    assert [row.split("|")[4].strip() for row in rows] == [
        "**0.4** (3)",
        "**0.2** (3)",
        "**0.1** (3)",
    ]
    assert "**0.3** (1)" not in page(runs)
    assert "| spill (15)" in page(runs)
    assert "| a quarter   | 23 % and 23 % | 30 % and 30 % |" in page(runs)
