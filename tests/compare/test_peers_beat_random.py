"""That each peer does what it is known for: it is far ahead of chance on an easy function."""

import statistics

import pytest

from benchmarks.regrets.run import Case, Contender, Job, run
from orchestrator.algorithms.peers.offered import PEERS

LACKING = sorted({module for peer in PEERS.values() for module in peer.missing})
if LACKING:
    pytest.skip(
        f"the extra [compare] is not installed ({', '.join(LACKING)}): run `make test-compare`",
        allow_module_level=True,
    )

CASE = Case("styblinski-tang-2", shifted=True)
BUDGET = 30
SEEDS = range(3)
# Sampled at every fifth result only, and less long.
LESS = {"botorch-saasbo": {"warmup": 64, "samples": 64, "thinning": 8, "refit_every": 5}}
# Of what chance leaves; TPE, which has no model of the surface, is a slow starter.
SHARE = 0.1
SHARES = {"optuna-tpe": 0.6}


@pytest.fixture(scope="module")
def chance() -> float:
    return _median("random", range(20))


def _median(name: str, seeds) -> float:
    contender = Contender(name, LESS.get(name, {}))
    return statistics.median(run(Job(CASE, contender, BUDGET, seed)).simple_regret(BUDGET) for seed in seeds)


@pytest.mark.parametrize("name", sorted(PEERS))
def test_a_peer_beats_chance_clearly_on_a_function_of_two_parameters(name, chance):
    assert _median(name, SEEDS) < SHARES.get(name, SHARE) * chance
