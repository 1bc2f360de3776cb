"""That peers which are told slacks make use of them, and take results of which some are not known."""

import numpy as np
import pytest

from benchmarks.contenders.outcomes import Job, run
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.unit_cube.domain import Domain

LACKING = sorted({module for peer in PEERS.values() for module in peer.missing})
if LACKING:
    pytest.skip(
        f"the extra [compare] is not installed ({', '.join(LACKING)}): run `make test-compare`",
        allow_module_level=True,
    )

LEARNING = [name for name in sorted(PEERS) if registry.options(name).learns_outcomes]


def test_those_with_an_interface_for_it_do():
    assert LEARNING == ["ax", "optuna-gp", "optuna-tpe"]


@pytest.mark.parametrize("name", ["ax", "optuna-gp"])
def test_one_with_models_comes_close_to_the_best_point_that_will_do(name):
    assert run(Job(name, "two-waves", 0)).regret(40) < 1e-2


@pytest.mark.parametrize("name", LEARNING)
def test_failures_and_results_without_outcomes_are_among_them(name):
    algorithm = registry.build(name, Problem(Domain.continuous(2), outcome_constraints=2))
    rng = np.random.default_rng(0)
    for trial in range(14):
        slacks = None if trial % 5 == 0 else rng.standard_normal(2)
        value = None if trial % 7 == 0 else float(rng.standard_normal())
        algorithm.tell([Observation(trial, rng.random(2), value, slacks=slacks)])
    key = AskKey(14, 14)
    first = [s.point.tolist() for s in algorithm.ask(2, [np.array([0.5, 0.5])], key)]
    assert [s.point.tolist() for s in algorithm.ask(2, [np.array([0.5, 0.5])], key)] == first
