"""Rounds that share parameters, and runs of them."""

from benchmarks.contenders.in_rounds import Job, Run, run
from benchmarks.functions.in_rounds import IN_ROUNDS
from benchmarks.sharing import jobs, page


def test_a_run_keeps_what_each_trial_lacks():
    done = run(Job("random", "camel-1", 0))
    assert len(done.values) == IN_ROUNDS["camel-1"].evaluations
    assert done.regret(40) == min(done.values[:40]) > 0.0


def test_rounds_that_share_nothing_are_another_search():
    assert (
        run(Job("random", "camel-1", 0)).values != run(Job("random", "camel-1", 0, "nothing shared")).values
    )


def test_the_page_has_a_column_for_each_way():
    some = [Run(job, (2.0,) * 80, 0.1) for job in jobs("auto", "camel-1", 0)]
    assert all(title in page(some) for title in ("auto, spread", "auto, nothing shared"))
