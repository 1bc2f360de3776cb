"""Trainings that go on with other settings, runs of populations, and the page that is made of them."""

import json
import math
from dataclasses import asdict, replace

import pytest

from benchmarks.contenders.population import ALGORITHMS, PB2, jobs, run
from benchmarks.functions.scheduled import SCHEDULED
from benchmarks.population import RUNS, TABLE, page

FAST = {"steep": 0.5, "flat": 10.0, "drag": 0.0}
SLOW = {**FAST, "steep": 0.005, "flat": 0.1}


def test_what_goes_on_is_as_it_would_be_in_one_and_leaves_what_it_went_on_from_as_it_was():
    function = SCHEDULED["annealed"]
    begun = function.begun(0)
    half = function.advanced(begun, 15, FAST)
    before = half.loss()
    assert function.advanced(half, 15, FAST).loss() == function.advanced(begun, 30, FAST).loss()
    assert half.loss() == before
    # Rates that fall are best.
    falling = function.advanced(half, 15, SLOW).loss()
    assert falling < min(function.advanced(begun, 30, one).loss() for one in (FAST, SLOW))


def test_of_a_steady_training_the_same_settings_are_best_all_along():
    function = SCHEDULED["steady"]
    best = {name: 0.27 + 0.13 * k for k, name in enumerate("abcd")}
    assert function.advanced(function.begun(0), 30, best).loss() == pytest.approx(-1.5)


def test_a_network_takes_other_settings_and_may_fail():
    function = SCHEDULED["digits"]
    settings = {"learning_rate": 0.05, "momentum": 0.9, "batch_size": 128, "decay": 1e-4}
    begun = function.advanced(function.begun(1), 1, settings)
    still = function.advanced(begun, 1, {**settings, "learning_rate": 1e-12, "momentum": 0.0})
    assert still.loss() == pytest.approx(begun.loss(), abs=1e-6)
    assert function.advanced(begun, 1, settings).loss() < begun.loss()
    lost = function.advanced(begun, 2, {**settings, "learning_rate": 1e9})
    assert lost.loss() == math.inf


def test_a_population_pays_for_pieces_and_the_page_has_all_ways(monkeypatch):
    monkeypatch.setitem(SCHEDULED, "annealed", replace(SCHEDULED["annealed"], evaluations=3))
    (job,) = (one for one in jobs("auto", "annealed", 0) if one.how == PB2)
    found = run(job)
    assert sum(paid for paid, _, _ in found.values) == pytest.approx(3.0)
    assert found.whole > 0
    assert RUNS.read(json.loads(json.dumps(asdict(found)))) == found
    runs = [replace(found, job=one, date="2026-11-30") for one in jobs("auto", "annealed", 0)]
    assert TABLE.of(runs).splitlines()[0].count("|") == 4 + len(ALGORITHMS)
    assert "| annealed (3)" in page(runs)
