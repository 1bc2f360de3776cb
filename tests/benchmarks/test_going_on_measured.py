"""Evaluations of many steps, runs that go on from fewer, and the page that is made of them."""

import json
from dataclasses import asdict, replace
from itertools import islice

import pytest

from benchmarks.contenders.going_on import ASHA, CHOSEN, GOING_ON, HYPERBAND, WHOLE, Job, Run, run
from benchmarks.functions.trainings import TRAININGS
from benchmarks.going_on import RUNS, TABLE, jobs, page

POINT = {"a": 0.2, "b": 0.4, "c": 0.6, "d": 0.8}


def test_fewer_steps_come_to_what_the_evaluation_reports_at_that_step_and_all_to_what_it_is_worth():
    function = TRAININGS["late"]
    readings = list(islice(function.whole.begun(POINT, 1), 30))
    assert function.evaluate({**POINT, "steps": 4}, 1) == readings[3]
    assert function.evaluate({**POINT, "steps": 30}, 1) == function.whole.truth(POINT) == readings[-1]


def test_only_what_came_to_all_steps_within_the_budget_counts():
    values = ((0.5, 0.1, False), (0.5, 3.0, True), (1.0, 2.0, True))
    found = Run(Job("auto", "late", 0, GOING_ON), values, 0.1, "2026-11-30", taken_up=1)
    assert [found.regret(cost) for cost in (0.9, 1.0, 2.0)] == [float("inf"), 3.0, 2.0]
    assert found.whole == 2
    assert RUNS.read(json.loads(json.dumps(asdict(found)))) == found


def test_the_page_has_all_ways_and_how_many_went_on():
    ways = [job for algorithm in ("auto", ASHA, HYPERBAND) for job in jobs(algorithm, "late", 0)]
    assert [job.title for job in ways] == [WHOLE, CHOSEN, GOING_ON, ASHA, HYPERBAND]
    runs = [Run(job, ((1.0, 0.5, True),), 0.1, "2026-11-30", job.how == GOING_ON) for job in ways]
    assert "| late (15)" in TABLE.of(runs)
    assert "1, 1 whole, 1 went on" in page(runs)


@pytest.mark.long
@pytest.mark.parametrize(("algorithm", "how"), [("auto", GOING_ON), (ASHA, ASHA), (HYPERBAND, HYPERBAND)])
def test_a_run_pays_for_the_rest_of_what_it_takes_up(algorithm, how, monkeypatch):
    monkeypatch.setitem(TRAININGS, "late", replace(TRAININGS["late"], evaluations=5))
    found = run(Job(algorithm, "late", 0, how))
    assert found.taken_up > 0
    assert 5.0 - 1e-9 <= sum(paid for paid, _, _ in found.values) < 6.0
