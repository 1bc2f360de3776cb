"""Functions whose evaluations take longer in one place than in another, and runs on them."""

import numpy as np
import pytest

from benchmarks.contenders.durations import Job, Run, run
from benchmarks.durations import jobs, page
from benchmarks.functions.durations import PLACES, RANGE, TIMED


@pytest.mark.parametrize("name", TIMED)
def test_durations_differ_as_the_page_says_and_a_budget_is_what_so_many_evaluations_take(name):
    copy = TIMED[name].of_seed(3)
    points = np.random.default_rng(0).random((PLACES, TIMED[name].dimension))
    regrets, seconds = np.array([copy.regret_and_seconds(point) for point in points]).T
    assert 3.0 < seconds.max() / seconds.min() <= RANGE
    assert copy.budget == pytest.approx(TIMED[name].evaluations * seconds.mean(), rel=0.1)
    if TIMED[name].kind != "anyhow":
        slow_if_good = -np.corrcoef(np.argsort(np.argsort(regrets)), np.log(seconds))[0, 1]
        assert slow_if_good == pytest.approx(1.0 if TIMED[name].kind == "good-slow" else -1.0, abs=0.01)


def test_a_run_ends_with_its_time_and_what_ended_later_does_not_count():
    done = run(Job("random", "camel-anyhow", 0))
    took, regrets = np.array(done.values).T
    assert took[:-1].sum() < 1.0 <= took.sum()
    assert done.trials == len(took) - 1
    assert done.regret(30) == regrets[:-1].min()
    assert done.regret(15) == regrets[: np.searchsorted(took.cumsum(), 0.5, side="right")].min()
    assert Run(done.job, ((1.5, 0.1),), 0.0).regret(30) == np.inf


def test_the_page_has_a_column_for_each_way():
    some = [Run(job, ((0.4, 2.0), (0.5, 1.0)), 0.1) for job in jobs("auto", "camel-anyhow", 0)]
    words = page(some)
    assert "| function (evaluations)" in words
    assert "auto, durations weighed" in words
    assert "| camel-anyhow (15) " in words
