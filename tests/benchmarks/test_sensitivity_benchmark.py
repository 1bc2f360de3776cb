"""The benchmark of what is said of parameters: its truth, its measure and its page."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.contenders.sensitivity import Row, judged, results_of, wrongly_ascribed
from benchmarks.functions.sensitivity import MEASURABLE
from benchmarks.project import PROJECT
from benchmarks.sensitivity import INTRODUCTION, OFF, page, table


def test_true_shares_are_those_of_the_literature() -> None:
    alone, in_all = MEASURABLE["ishigami"].true_shares()
    assert alone == pytest.approx([0.314, 0.442, 0.0], abs=0.01)
    assert in_all == pytest.approx([0.558, 0.442, 0.244], abs=0.01)
    levels = np.array([0.0, 1.0, 4.5, 9.0, 99.0, 99.0, 99.0, 99.0])
    own = 1.0 / (3.0 * (1.0 + levels) ** 2)
    alone, in_all = MEASURABLE["g"].true_shares()
    assert alone == pytest.approx(own / (np.prod(1.0 + own) - 1.0), abs=0.01)


@pytest.mark.parametrize("name", MEASURABLE)
def test_every_function_is_finite_all_over_its_box(name: str) -> None:
    function = MEASURABLE[name]
    rng = np.random.default_rng(0)
    corners = rng.integers(0, 2, (200, function.dimension)).astype(float)
    assert np.isfinite(function(corners)).all()
    assert np.ptp(function(rng.random((200, function.dimension)))) > 0.0


def test_what_is_ascribed_wrongly_is_what_would_have_to_go_elsewhere() -> None:
    truth = np.array([3.0, 1.0])
    assert wrongly_ascribed(np.array([0.75, 0.25]), truth) == pytest.approx(0.0)
    assert wrongly_ascribed(np.array([0.25, 0.75]), truth) == pytest.approx(0.5)
    assert wrongly_ascribed(np.zeros(2), truth) == pytest.approx(0.25)


def test_an_analysis_of_forty_results_ascribes_little_wrongly() -> None:
    function = MEASURABLE["circuit"]
    points, values = results_of(function, "sobol", 40, 0)
    assert len(points) == len(values) == 40
    assert all(wrong < 0.05 for name, wrong, _ in judged(function, points, values, 0) if "optuna" not in name)


def test_the_table_has_medians_and_the_least_in_bold() -> None:
    made = [
        Row("g", "sobol", seed, {"alone": wrong, "optuna mdi": 0.2}, {"alone": 1.0, "optuna mdi": 2.0})
        for seed, wrong in enumerate((0.1, 0.3, 0.02))
    ]
    assert "| g        | 8 | sobol     | **10.0** | 20.0       |" in table(made)
    words = page(made, 40)
    assert "--seeds 3 --trials 40" in words
    assert "the median: alone 1, optuna mdi 2" in words


def test_the_page_says_what_its_command_writes() -> None:
    words = (PROJECT / "docs" / "sensitivity.md").read_text(encoding="utf-8")
    assert INTRODUCTION in words
    assert words.endswith(f"{OFF}\n")
