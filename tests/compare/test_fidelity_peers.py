"""BoTorch's searches that choose fidelity, on a function that may be looked at less closely."""

from dataclasses import replace

import pytest

from benchmarks.contenders.fidelity import Job
from benchmarks.contenders.fidelity_contenders import PEERS, run
from benchmarks.functions.fidelity import FIDELITY
from orchestrator.algorithms.peers.offered import absence

if (LACKING := absence("botorch-log-ei")) is not None:
    pytest.skip(f"{LACKING}: run `make test-compare`", allow_module_level=True)


PLACE = "benchmarks.contenders.fidelity_peers"
QUICK = {"FANTASIES": 4, "RESTARTS": 2, "RAW_SAMPLES": 8, "RAW_SAMPLES_OF_MEAN": 16, "CANDIDATES": 50}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    for constant, value in QUICK.items():
        monkeypatch.setattr(f"{PLACE}.{constant}", value)
    monkeypatch.setattr(f"{PLACE}.OPTIONS", {"batch_limit": 5, "maxiter": 10})
    monkeypatch.setitem(FIDELITY, "currin", replace(FIDELITY["currin"], evaluations=4))


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_keeps_to_its_budget_and_recommends_at_half_of_it_and_at_the_end(name):
    found = run(Job(name, "currin", 0, closely=False))
    assert found.spent <= 4.0
    assert not found.capped
    assert [cost <= most for (cost, _), most in zip(found.recommended, (2.0, 4.0), strict=True)] == [True] * 2
    assert found.regret(4) >= 0.0


def test_a_peer_whose_time_is_over_recommends_from_what_it_knows_and_began_as_we_do(monkeypatch):
    monkeypatch.setattr(f"{PLACE}.CAP_S", 0.0)
    found = run(Job("botorch-mf-gibbon", "currin", 0, closely=False))
    assert found.capped
    assert found.recommended
    ours = run(Job("auto", "currin", 0, closely=False))
    assert found.values[:5] == ours.values[:5]
