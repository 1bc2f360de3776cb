"""A fitted curve on a run's page: what it is to be, with its errors, and what the best trial's is."""

from __future__ import annotations

import re

import pytest

from orchestrator.fit_targets import CurveTarget
from orchestrator.report.html.fitted_curves import FEW_POINTS, fitted_chart, off_by


def test_each_of_a_few_points_has_its_error_and_many_have_a_band() -> None:
    few = CurveTarget((1.0, 2.0, 0.5), (0.1, 0.2, 0.1))
    chart = fitted_chart("<swing>", few, [1.0, 2.1, 0.4])
    assert chart.count("<circle") == 3
    assert "&lt;swing&gt;: the best trial" in chart
    many = CurveTarget((1.0,) * (FEW_POINTS + 1), (0.1,) * (FEW_POINTS + 1))
    assert "<polygon" in fitted_chart("swing", many, many.values)
    assert "<polyline" in fitted_chart("swing", CurveTarget((1.0,), (0.1,)), [1.0])


def test_points_are_drawn_where_they_are_and_not_by_their_numbers() -> None:
    uneven = CurveTarget((1.0, 2.0, 0.5), (0.1, 0.2, 0.1), places=(0.7, 0.2, 0.3))
    chart = fitted_chart("swing", uneven, [1.0, 2.0, 0.5])
    first, second, third = (float(at) for at in re.findall(r'<circle cx="([\d.]+)"', chart))
    assert (third - second) / (second - first) == pytest.approx(4.0, rel=1e-3)
    assert {">at<", ">0.2<", ">0.4<", ">0.6<"} <= set(re.findall(r">[^<>]+<", chart))
    assert ">point<" in fitted_chart("swing", CurveTarget((1.0, 2.0), (0.1, 0.2)), [1.0, 2.0])


def test_how_far_off_it_is_is_told_in_errors_whatever_their_size() -> None:
    assert off_by(CurveTarget((1.0, 2.0), (0.1, 0.2)), [1.1, 2.2]) == pytest.approx(1.0)
    assert off_by(CurveTarget((0.0, 0.0), (1.0, 1.0)), [1e200, 0.0]) == pytest.approx(1e200 / 2**0.5)
