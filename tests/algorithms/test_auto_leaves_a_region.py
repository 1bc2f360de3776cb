"""When auto leaves the region that it searches closely: nothing is left there, or little promised."""

import numpy as np
import pytest
from sequential_runs import build, optimise, step

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Noise, Problem
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


def is_exhausted_within(trials, algorithm, objective):
    """Whether the region of a search is said to be exhausted after one of so many trials."""
    for trial in range(trials):
        step(algorithm, trial, objective)
        if any("exhausted" in note for note in algorithm.insight().notes):
            return True
    return False


@pytest.mark.searches
def test_a_region_that_promises_next_to_nothing_is_left_for_hills_elsewhere():
    def egg_carton(x):
        return float(np.sin(19.0 * x[0] + 1.0) * np.cos(17.0 * x[1]) * np.sin(15.0 * x[2]) + 0.1 * x[0])

    suggestions, best = optimise(build("auto", 3, seed=2), egg_carton, 48)
    searches = [s.why.get("search") for s in suggestions[-20:]]
    assert 0.0 < np.mean([search == "local" for search in searches]) < 0.45
    assert best > 1.05


@pytest.mark.searches
def test_a_region_that_is_exhausted_makes_room_for_another():
    algorithm = build("auto", 1, seed=0)
    assert is_exhausted_within(45, algorithm, lambda x: -float((x[0] - 0.3) ** 2))


def test_a_region_of_which_every_point_is_told_makes_room_for_another():
    grid = Coordinate("ordinal", tuple(np.linspace(0, 1, 40)))
    algorithm = registry.build(
        "auto", Problem(Domain((grid, grid)), seed=0, noise=Noise("known", 0.0)), {"refit_every": 2}
    )
    assert is_exhausted_within(30, algorithm, lambda x: -float(np.sum((x - 0.3) ** 2)))
