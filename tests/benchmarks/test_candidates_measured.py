"""Pools of which each row may be tried once: what is measured of searches among them."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.candidates import table
from benchmarks.contenders.candidates import SHARE, Run, run
from benchmarks.contenders.searches import SearchJob
from benchmarks.functions.pools import POOLS


def test_a_run_tries_rows_of_the_pool_each_once() -> None:
    found = run(SearchJob("random", "few matter", 0))
    pool = POOLS["few matter"].of_seed(0)
    assert len(found.values) == POOLS["few matter"].evaluations
    assert set(found.values) <= set(pool.values.tolist())
    assert len(set(found.values)) == len(found.values)


def test_what_counts_is_how_many_rows_were_tried_until_a_good_one_was() -> None:
    values = np.sort(POOLS["alloys"].of_seed(1).values)
    poor, good, best = (float(values[i]) for i in (0, -15, -1))
    found = Run(SearchJob("auto", "alloys", 1), (poor, good, poor, best), 0.1)
    assert (found.tried_until(SHARE), found.tried_until(0.0)) == (2.0, 4.0)
    assert found.tried_until(0.5 / len(values)) == 4.0
    assert Run(SearchJob("auto", "alloys", 1), (poor, poor), 0.1).tried_until(SHARE) == math.inf


def test_a_table_has_the_medians_and_a_dash_where_half_found_nothing() -> None:
    values = POOLS["hartmann-6"].of_seed(0).values
    best, poor = float(values.max()), float(values.min())
    runs = [
        Run(SearchJob("auto", "hartmann-6", 0), (poor, best), 0.1),
        Run(SearchJob("random", "hartmann-6", 0), (poor, poor), 0.1),
    ]
    assert "| hartmann-6 | 1,000 | **2** (1) | – (1)  |" in table(runs, 0.0)
