"""The measurement of what is known of whole functions: its functions, its measure and its page."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.contenders.exploration import PARTS, Run, error_of_model, run
from benchmarks.contenders.searches import EXACT, SearchJob
from benchmarks.exploration import TABLE, page
from benchmarks.functions.exploration import EXPLORED
from orchestrator.algorithms.base import Problem
from orchestrator.unit_cube.domain import Domain


@pytest.mark.parametrize("name", EXPLORED)
def test_every_function_varies_all_over_its_box_and_divides_its_evaluations(name: str) -> None:
    function = EXPLORED[name]
    points = np.random.default_rng(0).random((200, function.dimension))
    values = function.of_seed(1)(points)
    assert np.isfinite(values).all()
    assert np.ptp(values) > 0.0
    assert all(function.evaluations % part == 0 for part in PARTS)


def test_one_that_is_shifted_is_another_for_each_seed() -> None:
    points = np.random.default_rng(0).random((20, 6))
    first, again, other = (EXPLORED["hartmann-6"].of_seed(seed)(points) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


def test_a_plane_is_known_from_a_few_points_and_noise_never_is() -> None:
    rng = np.random.default_rng(0)
    points, problem = rng.random((20, 2)), Problem(Domain.continuous(2), noise=EXACT)

    def plane(places: np.ndarray) -> np.ndarray:
        return places @ np.array([3.0, -1.0])

    def hidden(places: np.ndarray) -> np.ndarray:
        return np.sin(1e4 * places @ np.array([3.0, -1.0]))

    assert error_of_model(problem, plane, points, plane(points)) < 1e-3
    assert error_of_model(problem, hidden, points, hidden(points)) > 0.8


@pytest.mark.long
def test_a_run_is_judged_after_each_part_of_its_evaluations() -> None:
    found = run(SearchJob("random", "circuit", 0))
    assert len(found.values) == 3
    assert found.error(20) == found.values[0] > found.error(80) == found.values[2]


def test_the_table_has_medians_at_each_part_and_the_least_in_bold() -> None:
    runs = [
        Run(SearchJob(algorithm, "circuit", seed), (error, error / 2.0, error / 4.0), 0.1)
        for algorithm, errors in {"explore": (0.1, 0.2, 0.4), "sobol": (0.3,)}.items()
        for seed, error in enumerate(errors)
    ]
    rows = [line for line in TABLE.of(runs).splitlines() if line.startswith("| circuit")]
    assert [row.split("|")[1].strip() for row in rows] == ["circuit (20)", "circuit (40)", "circuit (80)"]
    assert [cell.strip() for cell in rows[0].split("|")[3:-1]] == ["**20** (3)", "30 (1)"]
    assert "| explore" in page(runs)
