"""What every algorithm keeps, kept by the peers: the same stories, in smaller sizes where a peer is slow."""

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Observation, Problem
from orchestrator.algorithms.peers.offered import PEERS

LACKING = sorted({module for peer in PEERS.values() for module in peer.missing})
if LACKING:
    pytest.skip(
        f"the extra [compare] is not installed ({', '.join(LACKING)}): run `make test-compare`",
        allow_module_level=True,
    )

import test_every_algorithm as conformance  # noqa: E402
from checked_run import Run, bowl  # noqa: E402

# Sampling by NUTS is compiled anew for every number of results, and SMAC walks from neighbour to neighbour:
# seconds a point.
SLOW = {"botorch-saasbo", "smac"}
ENOUGH_OF_THE_SLOW = {
    "test_a_batch_holds_different_points",
    "test_asynchronous_workers_get_points_that_no_one_runs",
    "test_a_finite_domain_is_used_up_before_anything_is_repeated",
    "test_noise_of_any_kind_is_borne",
    "test_duplicated_and_contradictory_results_are_borne",
    "test_failed_evaluations_are_remembered_and_not_tried_again",
    "test_an_algorithm_rebuilt_from_what_it_was_told_asks_the_same_to_the_bit",
    "test_results_told_in_a_batch_are_results_told_one_by_one",
    "test_many_results_are_taken_in",
}
MANY = {"ax": 100, "botorch-saasbo": 60, "optuna-tpe": 2000, "smac": 60}

globals().update({name: story for name, story in vars(conformance).items() if name.startswith("test_")})
del globals()["test_more_results_than_models_hold_are_taken_in"]


@pytest.fixture(params=sorted(PEERS))
def name(request) -> str:
    if request.param in SLOW and request.node.originalname not in ENOUGH_OF_THE_SLOW:
        pytest.skip("this peer takes seconds a point; it is put through the other stories")
    return request.param


@pytest.fixture
def distinct_name(name) -> str:
    """No peer asks as another does."""
    return name


def test_many_results_are_taken_in(name):
    run = Run(name, Problem(conformance.CONTINUOUS, noise=Noise("known", 0.0)))
    points = np.random.default_rng(0).random((MANY.get(name, 300), 3))
    run.algorithm.tell([Observation(-1 - i, p, bowl(p)) for i, p in enumerate(points)])
    assert conformance.distinct([s.point for s in run.ask(3)] + list(points))
