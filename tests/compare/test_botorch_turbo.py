"""BoTorch's TuRBO under several workers: results that come after a restart, or after the start design."""

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.gaussian_process.trust_region import FIRST_LENGTH, SHORTEST, TrustRegion
from orchestrator.algorithms.peers.offered import absence
from orchestrator.unit_cube.domain import Domain

if (LACKING := absence("botorch-turbo")) is not None:
    pytest.skip(f"{LACKING}: run `make test-compare`", allow_module_level=True)


def started():
    """An algorithm whose start design of 4 points is told, and the points of 4 more trials of the design."""
    problem = Problem(Domain.continuous(2), parallel=4)
    algorithm = registry.build("botorch-turbo", problem, {"start_points": 4, "candidates": 50})
    design = [suggestion.point for suggestion in algorithm.ask(8, [], AskKey(0, 0))]
    algorithm.tell([Observation(trial, design[trial], -float(trial)) for trial in range(4)])
    return algorithm, design[4:]


def test_what_runs_when_a_region_ends_is_not_learned_from_and_what_is_asked_for_later_is():
    algorithm, _ = started()
    algorithm._trust.region = TrustRegion(1, SHORTEST, best=1.0, worst=0.0, centre=0)
    running = np.random.default_rng(0).random((4, 2))
    algorithm.tell([Observation(4, running[0], -1.0)])
    (again,) = algorithm.ask(1, list(running[1:]), AskKey(1, 8))
    algorithm.tell([Observation(trial, running[trial - 4], 0.0) for trial in (5, 7)])
    algorithm.tell([Observation(8, again.point, -1.0), Observation(6, running[2], 0.0)])
    assert [algorithm._history.trials[row] for row in algorithm._rows] == [8]


def test_results_of_the_start_design_that_come_late_are_no_failures_of_the_region():
    algorithm, late = started()
    algorithm.tell([Observation(4 + k, point, -9.0) for k, point in enumerate(late)])
    assert (algorithm._trust.region.length, algorithm._trust.region.failures) == (FIRST_LENGTH, 0)
    assert len(algorithm._rows) == 8
