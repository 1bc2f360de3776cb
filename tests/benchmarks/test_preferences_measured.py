"""What is measured of searches by comparisons: a simulated person, and readings of runs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.contenders.preferences import COMPARED, COMPARISONS, SPREAD, Person, Run, run
from benchmarks.contenders.searches import SearchJob
from benchmarks.functions.drifting import Drifting
from benchmarks.preferences import CONTENDERS, page
from orchestrator.algorithms.base import Comparison


@pytest.mark.parametrize("name", COMPARED)
def test_the_least_value_lies_elsewhere_under_each_seed(name: str) -> None:
    places = [COMPARED[name].of_seed(seed).begins for seed in (0, 1)]
    assert not np.allclose(*places)
    assert COMPARED[name].of_seed(0).regret_and_value(places[0], 0.0)[0] == pytest.approx(0.0, abs=1e-3)


def test_who_errs_little_prefers_what_loses_less() -> None:
    person = Person(1e-9, np.random.default_rng(0))
    assert person.compare(2, 1, {1: 3.0, 2: 1.0}) == Comparison(2, 1)
    assert person.compare(2, 1, {1: 1.0, 2: 3.0}) == Comparison(1, 2)


def test_a_run_keeps_what_was_lost_by_what_was_believed_best_after_each_trial(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(COMPARED, "camel", Drifting("camel", 0.0, evaluations=5))
    done = run(SearchJob(SPREAD, "camel", 0))
    assert len(done.values) == 5
    assert done.regret(5) == done.values[4] <= max(done.values)


def test_the_page_has_a_column_for_each_contender() -> None:
    some = [Run(SearchJob(title, "camel", 0), (1.0,) * 60, 0.1) for title in CONTENDERS]
    assert all(title in page(some) for title in (*CONTENDERS, COMPARISONS))
