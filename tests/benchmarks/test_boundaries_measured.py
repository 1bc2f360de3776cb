"""The measurement of what is known of boundaries: its functions, its measure and its page."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from benchmarks.boundaries import TABLE, page
from benchmarks.contenders.boundaries import CONTENDERS, PARTS, SHOWN, TOLD, Judged, Run, judged
from benchmarks.contenders.searches import EXACT, SearchJob
from benchmarks.functions.boundaries import BOUNDARIES, BoundaryFunction
from orchestrator.algorithms.base import Problem
from orchestrator.unit_cube.domain import Domain

PROGRAM = Path(__file__).parents[2] / "configs" / "labs" / "runaway.awk"


@pytest.mark.parametrize("name", BOUNDARIES)
def test_of_every_function_some_lies_above_and_some_below(name: str) -> None:
    function = BOUNDARIES[name]
    values = function.value(np.random.default_rng(0).random((200, function.dimension)))
    assert 0.1 < np.mean(values > function.threshold) < 0.6
    assert all(function.evaluations % part == 0 for part in SHOWN)
    assert PARTS[-len(SHOWN) :] == SHOWN


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_the_tank_that_runs_away_is_that_of_the_program() -> None:
    settings = {"jacket": "50", "strength": "1.75", "cooling": f"{np.sqrt(120.0):.12g}"}
    told = [part for name, value in settings.items() for part in ("-v", f"{name}={value}")]
    printed = subprocess.run(["awk", *told, "-f", str(PROGRAM)], capture_output=True, text=True, check=True)
    (value,) = BOUNDARIES["runaway"].value(np.full((1, 3), 0.5))
    assert f'"hottest": {value:.6g}' in printed.stdout


def test_the_side_of_a_plane_is_known_from_a_few_points() -> None:
    rng = np.random.default_rng(0)
    points, problem = rng.random((12, 2)), Problem(Domain.continuous(2), noise=EXACT)

    def plane(places: np.ndarray) -> np.ndarray:
        return np.asarray(places @ np.array([3.0, -1.0]))

    found = judged(problem, BoundaryFunction(2, plane, 1.0, 12, "a plane"), points, plane(points))
    assert found.wrong < 0.005
    assert abs(found.truth - 0.5) < 0.02
    assert found.low <= found.truth + 0.01
    assert found.high >= found.truth - 0.01


def test_the_page_has_medians_at_each_part_and_says_how_often_bounds_held() -> None:
    first, one = Judged(0.2, 0.1, 0.3, 0.2, 0.4), Judged(0.1, 0.05, 0.3, 0.2, 0.25)
    other = Judged(0.02, 0.01, 0.3, 0.28, 0.31)
    runs = [
        Run(SearchJob(name, "runaway", seed), tuple(map(astuple, (first, one, other))), 0.1)
        for name in CONTENDERS[:2]
        for seed in range(2)
    ]
    rows = [line for line in TABLE.of(runs).splitlines() if line.startswith("| runaway")]
    assert [row.split("|")[1].strip() for row in rows] == ["runaway (15)", "runaway (30)"]
    assert [cell.strip() for cell in rows[0].split("|")[3:-1]] == ["**10 %** (2)"] * 2
    assert f"| {TOLD}" in page(runs)
    held = [line.split("|")[1:4] for line in page(runs).splitlines() if " of 2 " in line]
    assert [[cell.strip() for cell in row] for row in held] == [
        ["a quarter", "2 of 2", "20 %"],
        ["half", "0 of 2", "5 %"],
        ["all", "2 of 2", "3 %"],
    ]
