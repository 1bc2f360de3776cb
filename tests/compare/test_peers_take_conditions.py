"""That peers whose libraries know parameters that do not always count are told which do."""

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.python_interface.optimiser import Optimiser

LACKING = sorted({module for peer in PEERS.values() for module in peer.missing})
if LACKING:
    pytest.skip(
        f"the extra [compare] is not installed ({', '.join(LACKING)}): run `make test-compare`",
        allow_module_level=True,
    )

TAKING = [name for name in sorted(PEERS) if registry.options(name).takes_conditions]
# The weight stands before what it counts by.
SOLVERS = {
    "weight": {"type": "float", "bounds": [0.1, 1.9], "when": {"smoother": "jacobi"}},
    "solver": {"type": "choice", "values": ["direct", "cg", "gmres"]},
    "restart": {"type": "int", "bounds": [5, 100], "when": {"solver": "gmres"}},
    "smoother": {"type": "choice", "values": ["jacobi", "ilu"], "when": {"solver": ["cg", "gmres"]}},
}


def test_those_with_an_interface_for_it_do():
    assert TAKING == ["optuna-gp", "optuna-tpe", "smac"]


@pytest.mark.parametrize("name", TAKING)
def test_each_trial_has_what_counts_and_none_is_repeated(name):
    optimiser, told = Optimiser(SOLVERS, algorithm=name, options={"start_points": 6}, seed=1), []
    space = Space.from_description(SOLVERS)
    for _ in range(20):
        (asked,) = optimiser.ask()
        told.append(dict(asked.parameters))
        assert told[-1] == space.decode(space.encode(told[-1]))
        optimiser.tell(asked.trial, len(told[-1]) - 0.01 * float(told[-1].get("restart", 0)))
    assert len({tuple(sorted(one.items())) for one in told}) == len(told)
    assert len({frozenset(one) for one in told}) >= 4


def test_smac_knows_conditions_by_single_discrete_parameters_alone():
    by_several = {**SOLVERS, "share": {"type": "float", "bounds": [0, 1], "when": "weight > 1"}}
    with pytest.raises(SpecError, match="expected parameters that count by single choices or whole numbers"):
        registry.build("smac", Problem(Space.from_description(by_several).domain))


@pytest.mark.parametrize("name", TAKING)
def test_points_that_run_and_failures_are_told_with_what_counts(name):
    domain = Space.from_description(SOLVERS).domain
    algorithm = registry.build(name, Problem(domain, seed=1), {"start_points": 4})
    points = domain.sample(10, np.random.default_rng(0))
    values = [None if trial % 4 == 1 else float(trial) for trial in range(10)]
    algorithm.tell([Observation(trial, points[trial], values[trial]) for trial in range(10)])
    running = list(domain.sample(3, np.random.default_rng(1)))
    for suggestion in algorithm.ask(3, running, AskKey(0, 13)):
        assert np.array_equal(domain.snap(suggestion.point), suggestion.point)
