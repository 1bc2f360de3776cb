"""Functions that are slow to change, and runs of them."""

import pytest

from benchmarks.change import TITLES, jobs, page
from benchmarks.contenders.slow_to_change import IN_A_ROUND, Job, Run, run
from benchmarks.functions.slow_to_change import SLOW


def test_a_change_takes_its_time_and_an_evaluation_one():
    assert SLOW["camel-10"].changes["x0"].takes(0.2, 0.3) == 10.0
    assert SLOW["rosenbrock-4-20-20-evenly"].changes["x1"].takes(0.2, 0.3) == pytest.approx(2.0)
    done = run(Job("random", "camel-10", 0, "not told"))
    assert {took for took, _ in done.values} == {1.0, 11.0}
    assert done.trials == 28
    assert done.regret(150) == min(regret for _, regret in done.values[:14])


def test_who_is_told_changes_less_and_evaluates_more():
    told = run(Job("random", "camel-10", 0))
    assert told.trials > 100
    assert sum(took for took, _ in told.values[: told.trials]) <= 300.0


def test_a_round_changes_once():
    done = run(Job("random", "camel-10", 0, "rounds"))
    assert all(took == 1.0 for n, (took, _) in enumerate(done.values) if n % IN_A_ROUND)


def test_the_page_has_a_column_for_each_way():
    some = [
        Run(job, ((1.0, 2.0),) * 80, 0.1) for name in ("auto", "gp-ei") for job in jobs(name, "camel-10", 0)
    ]
    assert all(title in page(some) for title in TITLES)
