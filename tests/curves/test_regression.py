"""Least squares against refits that leave each row out, and scales against their undoing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from orchestrator.arrays import FloatArray
from orchestrator.curves.regression import regressed
from orchestrator.curves.scales import DistanceScale, LevelScale

N = 9


def a_problem(columns: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(9)
    rows = rng.standard_normal((N + 1, columns))
    y = rows[1:] @ rng.standard_normal(columns) + 0.3 * rng.standard_normal(N)
    return rows, y - y.min()


def refitted(rows: FloatArray, y: FloatArray, at: FloatArray) -> tuple[float, float, int]:
    """Middle, width and degrees of freedom of Student's t by normal equations."""
    A, x = np.column_stack([np.ones(len(rows)), rows]), np.concatenate([[1.0], at])
    coefficients = np.linalg.lstsq(A, y, rcond=None)[0]
    freedom = len(rows) - A.shape[1]
    variance = ((y - A @ coefficients) ** 2).sum() / freedom
    return (
        float(x @ coefficients),
        float(np.sqrt(variance * (1.0 + x @ np.linalg.pinv(A.T @ A) @ x))),
        freedom,
    )


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("scale", [None, DistanceScale(0.4)], ids=["as it is", "on a scale"])
def test_the_evidence_is_that_of_refits_which_leave_each_row_out(
    columns: int, scale: DistanceScale | None
) -> None:
    rows, worse = a_problem(columns)
    found = regressed(worse, 0.5, list(rows.T), scale)
    assert found is not None
    y = worse if scale is None else scale.apply(worse)
    slopes = np.zeros(N) if scale is None else scale.log_slopes(worse)
    evidence = 0.0
    for k in range(N):
        others = np.delete(np.arange(N), k)
        middle, width, freedom = refitted(rows[1:][others], y[others], rows[1 + k])
        evidence += student.logpdf(y[k], freedom, loc=middle, scale=width) + slopes[k]
    assert found.evidence == pytest.approx(evidence, rel=1e-8)
    middle, width, freedom = refitted(rows[1:], y, rows[0])
    bar = 0.5 if scale is None else float(scale.apply(np.array([0.5]))[0])
    assert found.chance == pytest.approx(student.cdf(bar, freedom, loc=middle, scale=width), rel=1e-8)
    assert found.mean == pytest.approx(middle if scale is None else scale.undo(middle), rel=1e-8)
    if scale is None:
        assert found.deviation == pytest.approx(width * np.sqrt(freedom / (freedom - 2)), rel=1e-8)


def test_ends_that_follow_exactly_are_foretold_without_a_division_by_nothing() -> None:
    levels = np.arange(N + 1.0)
    found = regressed(2.0 * levels[1:] - 2.0, 3.0, [levels])
    assert found is not None
    assert found.mean == pytest.approx(-2.0)
    assert 0.0 < found.deviation < 1e-4
    assert found.chance == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("worse", "levels"),
    [
        (np.zeros(N), np.arange(N + 1.0)),
        (np.arange(float(N)), np.full(N + 1, 5.0)),
        (np.arange(float(N)), np.full(N + 1, np.inf)),
        (np.arange(3.0), np.arange(4.0)),
    ],
    ids=["ends alike", "levels alike", "levels beyond arithmetic", "too few"],
)
def test_where_nothing_is_set_apart_nothing_is_foretold(worse: FloatArray, levels: FloatArray) -> None:
    assert regressed(worse, 1.0, [levels]) is None


@given(st.floats(1e-6, 1e6), st.floats(-1e3, 1e9))
def test_a_distance_comes_back_from_its_scale(unit: float, d: float) -> None:
    scale = DistanceScale(unit)
    assert scale.undo(float(scale.apply(np.array([d]))[0])) == pytest.approx(d, rel=1e-6, abs=1e-6 * unit)


@given(st.floats(1e-3, 1e3), st.floats(-5.0, 5.0))
def test_its_slope_is_that_of_differences(unit: float, d: float) -> None:
    scale, step = DistanceScale(unit), 1e-6 * unit
    low, high = scale.apply(np.array([d - step, d + step]))
    assert np.exp(scale.log_slopes(np.array([d]))[0]) == pytest.approx((high - low) / (2 * step), rel=1e-3)


def test_levels_are_told_apart_where_the_good_ones_are_and_far_off_by_their_size() -> None:
    worse = np.array([0.0, 0.1, 0.5, 1.0, 50.0, 1e6])
    levels = np.array([1.0, 1.1, 1.5, 2.0, 40.0, 1e6])
    scaled = LevelScale.of(levels, worse).apply(levels)
    assert (np.diff(scaled) > 0.05).all()
    assert scaled[-1] < 20.0


def test_levels_that_are_all_the_same_are_a_unit_wide() -> None:
    scale = LevelScale.of(np.full(4, 3.0), np.arange(4.0))
    assert scale == LevelScale(3.0, 1.0)
    assert scale.apply(np.array([3.0, 5.0]))[1] > scale.apply(np.array([3.0]))[0] == 0.0


def test_what_is_foretold_to_be_beyond_what_doubles_hold_is_not_foretold_surely() -> None:
    """Such ones, mixed, were foreseen as they are on some processors, and with a deviation of 0."""
    levels = np.concatenate([[1e6], np.arange(N)])
    found = regressed(np.expm1(levels[1:] + 0.1 * np.cos(levels[1:])), 5.0, [levels], DistanceScale(1.0))
    assert found is not None
    assert found.deviation >= found.mean > 1e100
