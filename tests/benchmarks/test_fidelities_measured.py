"""Functions that may be looked at less closely, runs on them, and the page that is made of many."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from benchmarks.contenders.fidelity import Job, Run, run
from benchmarks.fidelities import RUNS, TABLE, beside_peers, jobs, page, where_learned
from benchmarks.functions.fidelity import FIDELITY
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space

HILL = (0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.657301)
HARTMANN = {**{f"x{i + 1}": x for i, x in enumerate(HILL)}, "z": 1.0}
BEST = {
    "hartmann-6": HARTMANN,
    "mirrored": HARTMANN,
    "branin": {"x": np.pi, "y": 2.275, "z": 1.0},
    "currin": {"x": 0.21666667, "y": 0.0, "z": 1.0},
    "rod": {"place": 0.37, "width": 0.11, "loss": 4.2, "end": 0.6, "cells": 400},
    "pendulum": {"length": 1.3, "damping": 0.35, "angle": 1.9, "steps": 2000},
}


@pytest.mark.parametrize("name", FIDELITY)
def test_no_point_is_below_the_least_at_full_fidelity_and_the_best_one_is_there(name):
    function = FIDELITY[name]
    space = Space.from_description(function.at_full)
    count = 20 if name == "support-vectors" else 500
    sampled = space.domain.sample(count, np.random.default_rng(0))
    assert min(function.evaluate(space.decode(point)) for point in sampled) > function.least
    if name in BEST:
        assert function.evaluate(BEST[name]) == pytest.approx(function.least, abs=1e-6)


@pytest.mark.parametrize("name", FIDELITY)
def test_less_fidelity_costs_less_and_says_something_else(name):
    function = FIDELITY[name]
    space = Space.from_description(function.description)
    fidelity = Fidelity.of(space, function.parameter, function.cost)
    assert fidelity.full == function.full
    point = space.decode(np.full(len(space.parameters), 0.4))
    full = {**point, function.parameter: function.full}
    assert fidelity.cost(point) < 0.5
    assert function.evaluate(point) != function.evaluate(full)


@pytest.mark.long
def test_a_run_spends_its_budget_and_only_what_is_at_full_fidelity_counts(monkeypatch):
    monkeypatch.setitem(FIDELITY, "branin", replace(FIDELITY["branin"], evaluations=13))
    found = run(Job("auto", "branin", 0, closely=False))
    assert 13.0 <= sum(cost for cost, _ in found.values) < 14.0
    assert found.at_full < len(found.values)
    assert found.regret(13) <= found.regret(8)
    cheap = Run(Job("auto", "branin", 0, closely=False), ((0.2, 0.1), (1.0, 3.0), (1.0, 2.0)), 0.1)
    assert cheap.regret(1) == float("inf")
    assert cheap.regret(1.2) == pytest.approx(3.0, abs=0.4)
    assert cheap.regret(2.2) < cheap.regret(1.2)


def test_ours_chooses_and_does_not_and_the_page_has_both_and_what_was_spent():
    both = jobs("auto", "branin", 0)
    assert [job.title for job in both] == ["auto, fidelity chosen", "auto"]
    assert [job.title for job in jobs("random", "branin", 0)] == ["random"]
    runs = [Run(job, ((1.0, 0.5), (1.0, 0.4)), 0.1, "2026-11-27") for job in both]
    assert "| branin (20)" in TABLE.of(runs)
    assert "| branin   | 2 " in page(runs)


def test_where_costs_are_learned_stands_beside_where_they_are_told_on_the_same_seeds_and_nowhere_else():
    (job,) = jobs("costs-learned", "branin", 1)
    assert job.title == "auto, costs learned"
    told = [Run(Job("auto", "branin", seed, closely=False), ((1.0, 0.5),), 0.1) for seed in range(3)]
    learned = Run(job, ((1.0, 0.6),), 0.1)
    section = where_learned(told, [learned])
    assert "| **0.1** (1)           | 0.2 (1) " in section
    assert "(3)" not in section
    assert page([*told, learned]).count("auto, costs learned") == 1
    assert "Not measured so far" in where_learned(told, [])


def test_what_a_peer_recommends_counts_from_the_cost_after_which_it_did_and_is_kept():
    values, recommended = ((0.2, 0.1), (1.0, 3.0)), ((0.2, 5.0), (1.2, 2.0))
    found = Run(Job("botorch-mf-kg", "branin", 0, closely=False), values, 0.1, "", recommended, capped=True)
    least = FIDELITY["branin"].least
    assert [found.regret(cost) + least for cost in (0.1, 0.2, 1.2)] == pytest.approx([float("inf"), 5.0, 2.0])
    assert found.spent == pytest.approx(1.2)
    assert RUNS.read(json.loads(json.dumps(asdict(found)))) == found


def test_peers_that_choose_fidelity_stand_beside_ours_on_the_seeds_that_all_ran():
    (job,) = jobs("botorch-mf-gibbon", "branin", 0)
    assert not job.closely
    ours = [Run(Job("auto", "branin", seed, closely=False), ((1.0, 0.5),), 0.1) for seed in range(3)]
    peer = Run(job, ((1.0, 0.6),), 2.0, capped=True)
    assert "Not measured so far" in page(ours)
    told = beside_peers(ours, [peer])
    assert "Not measured so far" not in told
    assert "(1)" in told
    assert "(3)" not in told
    assert "| branin   | 1 " in page([*ours, peer])
