"""Functions with several objectives, runs on them, and the table that is made of many."""

import numpy as np
import pytest

from benchmarks.contenders.searches import SearchJob as Job
from benchmarks.contenders.trade_offs import Run, run
from benchmarks.functions.trade_offs import TRADED_OFF
from benchmarks.trade_offs import RUNS, TABLE, page
from benchmarks.widest_front import widest_front
from orchestrator.numerics.pareto import hypervolume

SMALL = Job("random", "truss", 0)


@pytest.mark.parametrize("name", TRADED_OFF)
def test_what_random_points_dominate_is_some_of_the_most_and_not_all(name):
    function = TRADED_OFF[name]
    values, slacks = function.at(np.random.default_rng(0).random((500, function.dimension)))
    assert values.shape == (500, function.objectives)
    assert slacks.shape == (500, function.slacks)
    satisfying = values[(slacks >= 0.0).all(axis=1)]
    assert 0 < len(satisfying) <= 500
    assert (len(satisfying) < 500) == bool(function.slacks)
    volume = hypervolume(-satisfying, -np.array(function.reference))
    assert 0.02 * function.most < volume < function.most


@pytest.mark.parametrize(("name", "share"), [("truss", 0.99), ("beam", 0.9), ("sphere-2", 0.97)])
def test_a_short_evolution_comes_near_the_most_and_not_above(monkeypatch, name, share):
    monkeypatch.setattr("benchmarks.widest_front.GENERATIONS", 30)
    monkeypatch.setattr("benchmarks.widest_front.BRED", 300)
    monkeypatch.setattr("benchmarks.widest_front.HELD", 150)
    function = TRADED_OFF[name]
    front = widest_front(function, np.random.default_rng(0))
    volume = hypervolume(-front, -np.array(function.reference))
    assert share * function.most < volume < 1.0001 * function.most


@pytest.mark.parametrize(
    ("name", "place", "values"),
    [
        ("truss", [1.0, 2.0**0.5, 2.0**0.5, 1.0], [400.0 + 400.0 + 200.0 * 2.0**0.25 + 200.0, 0.04]),
        ("vehicle", [1.0] * 5, [1661.7078, 8.3046, 0.0708]),
        ("beam", [0.24, 6.2, 8.3, 0.24], [2.3310, 0.015992]),
        ("brake", [62.0, 84.0, 2971.0, 11.0], [1.5739, 2.7235]),
        ("sphere-3", [0.0, 0.0, 0.31, 0.64, 0.45, 0.72], [1.0, 0.0, 0.0]),
    ],
)
def test_they_are_what_their_formulas_say(name, place, values):
    (found,), _ = TRADED_OFF[name].evaluate(np.array([place]))
    assert found == pytest.approx(values, rel=2e-3, abs=1e-9)


def test_runs_are_kept_and_not_made_again(tmp_path):
    path = tmp_path / "kept" / "runs.jsonl"
    RUNS.run_all([SMALL], path)
    written = path.read_bytes()
    RUNS.run_all([SMALL], path)
    assert path.read_bytes() == written
    (found,) = RUNS.kept(path)
    assert found.job == SMALL
    assert found.values == run(SMALL).values
    assert len(found.values) == TRADED_OFF["truss"].evaluations


def test_more_trials_miss_less_and_what_breaks_constraints_dominates_nothing():
    found = run(Job("random", "beam", 1))
    assert None in found.values
    assert found.missing(60) <= found.missing(30) <= 1.0
    assert Run(SMALL, (None, None), 0.0).missing(2) == 1.0


def test_the_table_has_the_median_and_the_least_in_bold():
    front = ((1300.0, 0.03), (2000.0, 0.01))
    runs = [Run(Job("auto", "truss", seed), front[: 1 + seed], 0.1, "2026-11-26") for seed in range(2)] + [
        Run(Job("random", "truss", 0), front[:1], 0.001)
    ]
    rows = [line for line in TABLE.of(runs).splitlines() if "truss (40)" in line]
    missing = [100.0 * one.missing(40) for one in runs]
    assert f"**{np.median(missing[:2]):.3g}** (2)" in rows[0]
    assert f"{missing[2]:.3g} (1)" in rows[0]
    written = page(runs)
    assert "Measured 2026-11-26 with" in written
    assert "| auto " in written
