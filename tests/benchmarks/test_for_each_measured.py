"""The measurement of best settings for each condition: its functions, its measure and its page."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.contenders.for_each import CONTENDERS, PARTS, SEVERAL, Run, run
from benchmarks.contenders.searches import SearchJob
from benchmarks.for_each import page
from benchmarks.functions.for_each import FOR_EACH


@pytest.mark.parametrize("name", [name for name in FOR_EACH if name != "hartmann"])
def test_of_every_function_the_best_settings_hang_on_the_condition(name: str) -> None:
    judge = FOR_EACH[name].under(1)
    usual, most = judge.ends
    assert (most > usual).all()
    (best,) = np.unique(judge.in_use.as_designs(np.full((1, judge.function.dimension), 0.5)), axis=0)
    everywhere = judge.in_use.at(best[None, :])
    assert judge.missed(everywhere) > 0.1
    assert all(judge.function.evaluations % part == 0 for part in PARTS)


def test_of_branin_the_best_settings_are_those_of_a_fine_grid() -> None:
    judge = FOR_EACH["branin"].under(0)
    grid = np.linspace(0.0, 1.0, 2001)
    best = [
        judge.value(np.column_stack([grid, np.full(len(grid), y)])).max() for y in judge.in_use.points[:, 0]
    ]
    assert judge.ends[1] == pytest.approx(best, abs=1e-3)


def test_searches_in_a_few_conditions_are_judged_between_them() -> None:
    found = run(SearchJob(next(iter(SEVERAL)), "branin", 0))
    assert len(found.values) == len(PARTS)
    assert all(0.0 <= value < 1.0 for value in found.values)


def test_the_page_has_medians_at_half_and_at_all() -> None:
    runs = [
        Run(SearchJob(name, "bend", seed), (0.4, 0.02), 0.1) for name in CONTENDERS[:2] for seed in (0, 1)
    ]
    text = page(runs)
    assert "| bend (25)" in text
    assert "**2 %** (2)" in text
    assert "How sure it is" not in text


def test_the_page_says_how_sure_the_search_was_where_runs_say_it() -> None:
    sure = ((0.5, None), (1.0, 0.01))
    runs = [Run(SearchJob("told of each", "bend", seed), (0.4, 0.02), 0.1, sure=sure) for seed in (0, 1)]
    lines = page(runs).splitlines()
    half, whole = [line for line in lines if line.startswith("| bend") and "(2)" in line][-2:]
    assert [cell.strip() for cell in half.split("|")[2:5]] == ["50 % (2)", "", "40 %"]
    assert [cell.strip() for cell in whole.split("|")[2:5]] == ["100 % (2)", "1 % (2)", "2 %"]
