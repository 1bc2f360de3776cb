"""That peers which are told several objectives make use of them, and take results of which one is missing."""

import numpy as np
import pytest

from benchmarks.contenders.searches import SearchJob as Job
from benchmarks.contenders.trade_offs import run
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

TRADING = [name for name in sorted(PEERS) if registry.options(name).trades_off]


def test_those_with_an_interface_for_it_do():
    assert TRADING == ["ax", "optuna-gp", "optuna-tpe"]


@pytest.mark.parametrize("name", ["ax", "optuna-gp"])
def test_one_with_models_comes_nearer_to_the_best_front_than_chance(name):
    assert run(Job(name, "truss", 0)).missing(40) < 0.6 * run(Job("random", "truss", 0)).missing(40)


@pytest.mark.parametrize("name", TRADING)
def test_failures_and_results_without_an_objective_are_among_them(name):
    algorithm = registry.build(
        name, Problem(Domain.continuous(2), outcome_constraints=1, further_objectives=2)
    )
    rng = np.random.default_rng(0)
    for trial in range(14):
        further = None if trial % 5 == 0 else rng.standard_normal(2)
        value = None if trial % 7 == 0 else float(rng.standard_normal())
        slacks = rng.standard_normal(1)
        algorithm.tell([Observation(trial, rng.random(2), value, slacks=slacks, further=further)])
    key = AskKey(14, 14)
    first = [s.point.tolist() for s in algorithm.ask(2, [np.array([0.5, 0.5])], key)]
    assert [s.point.tolist() for s in algorithm.ask(2, [np.array([0.5, 0.5])], key)] == first
