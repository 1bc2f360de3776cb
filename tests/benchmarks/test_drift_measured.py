"""Functions whose least value moves, and runs on them."""

import pytest

from benchmarks.contenders.drifting import Job, Run, run
from benchmarks.drift import jobs, page
from benchmarks.functions.drifting import DRIFTING


@pytest.mark.parametrize("name", DRIFTING)
def test_the_least_value_is_where_it_is_said_to_be_at_any_time(name):
    copy = DRIFTING[name].of_seed(1)
    for t in (0.0, 0.4, 1.0):
        place = copy.begins + t * (copy.ends - copy.begins)
        assert ((place >= 0.0) & (place <= 1.0)).all()
        assert copy.regret_and_value(place, t) == pytest.approx((0.0, t * copy.rise), abs=1e-4)


def test_a_run_keeps_what_was_tried_and_what_was_believed():
    done = run(Job("random", "camel-quick", 0))
    assert len(done.values) == DRIFTING["camel-quick"].evaluations
    assert done.regret(40) == pytest.approx(sum(tried for tried, _ in done.values[20:]) / 20)
    assert done.regret_believed(40) == float("inf")


def test_the_page_has_a_column_for_each_way():
    some = [Run(job, ((2.0, 1.0),) * 40, 0.1) for job in jobs("auto", "camel-quick", 0)]
    assert "auto, told the time" in page(some)
