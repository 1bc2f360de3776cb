"""What is believed of functions, and searches that are told."""

import numpy as np
import pytest

from benchmarks.contenders.promising import Job, Run, run
from benchmarks.functions.promising import DEVIATIONS, EVALUATIONS, PROMISING
from benchmarks.promising import jobs, page


@pytest.mark.parametrize("name", PROMISING)
def test_who_is_right_is_off_by_what_is_said_and_who_is_wrong_by_half_the_range(name: str) -> None:
    function = PROMISING[name]
    right, wrong = (
        np.array([function.middle(seed, belief) for seed in range(20)]) for belief in ("right", "wrong")
    )
    best = (wrong + 0.5) % 1.0
    assert function.regret(3, best[3]) == pytest.approx(0.0, abs=1e-6)
    assert np.sqrt(np.square(right - best).mean()) < 1.3 * DEVIATIONS["right"]


def test_a_run_keeps_what_each_trial_lacks_and_begins_where_it_is_told() -> None:
    told = run(Job("auto", "camel", 0, "right"))
    assert len(told.values) == EVALUATIONS
    assert told.values[0] == pytest.approx(
        PROMISING["camel"].regret(0, PROMISING["camel"].middle(0, "right"))
    )
    assert told.regret(10) == min(told.values[:10])


def test_the_page_has_a_column_for_each() -> None:
    some = [Run(job, (2.0,) * EVALUATIONS, 0.1) for job in jobs("auto", "camel", 0)]
    assert all(title in page(some) for title in ("none", *DEVIATIONS))
