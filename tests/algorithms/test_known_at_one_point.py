"""Known results are points of a start design as far as they are spread: many at one say how noisy it is."""

import numpy as np
import pytest
from sequential_runs import build, hill, step

from orchestrator.algorithms.base import Noise, Observation
from orchestrator.algorithms.history import History
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

THREE = Domain((Coordinate("ordinal", (0.2, 0.5, 0.8)),))


def known(points, rng):
    """Of noisy values that were measured elsewhere."""
    told = enumerate(np.asarray(points, dtype=float))
    return [Observation(-1 - i, point, hill(point) + 0.1 * float(rng.normal())) for i, point in told]


def sources(name, results, trials, **told):
    algorithm = build(name, noise=Noise(), **told)
    algorithm.tell(results)
    return [step(algorithm, trial, hill).why["source"] for trial in range(trials)]


@pytest.mark.parametrize("name", ["auto", "gp-ei", "dumbo", "egp-ts"])
def test_of_many_results_at_one_point_one_counts_as_a_point_of_the_design(name):
    at_one = known([[0.3, 0.6]] * 40, np.random.default_rng(0))
    assert sources(name, at_one, 10, start_points=8)[:7] == ["start design"] * 7
    assert sources(name, at_one, 10, start_points=8)[7] != "start design"


@pytest.mark.parametrize("name", ["auto", "gp-ei", "dumbo", "egp-ts"])
def test_results_at_points_of_their_own_all_count(name):
    rng = np.random.default_rng(0)
    assert sources(name, known(rng.random((8, 2)), rng), 1, start_points=8)[0] != "start design"


def test_trials_at_one_point_count_as_what_they_are():
    history = History(Domain.continuous(1))
    for trial in range(3):
        history.tell(Observation(trial, np.array([0.5]), 1.0))
    assert history.designed() == 3


def test_where_nothing_else_is_left_to_try_all_of_them_count():
    history = History(THREE)
    for i, x in enumerate([0.2, 0.2, 0.5, 0.5]):
        history.tell(Observation(-1 - i, np.array([x]), 1.0))
    assert (history.designed(), history.designed([1, 3])) == (2, 0)
    history.tell(Observation(-9, np.array([0.8]), 1.0))
    assert history.designed() == 5
