"""Jobs that a queue keeps, and will not let begin, as it failed to run them, make room for others."""

from __future__ import annotations

from virtual_queue import HOUR_S, queue

from orchestrator.scheduler.job_events import JobCalledOff, JobEnded
from orchestrator.scheduler.job_keeping import IN_VAIN_MOST, given_up

WHY = "Error from slot1_1@n1: memory usage exceeded request_memory"


def test_one_that_ran_out_of_memory_makes_room_for_another_and_is_told_as_that() -> None:
    there = queue(at_most=1)
    there.look()
    there.begin("101")
    there.lab.succeed("1.1", worker="job-1")
    there.lab.suggest()
    there.stuck["101"] = WHY
    there.keep("101")
    there.passes(60.0)
    assert [(event.number, event.reason) for event in there.of(JobCalledOff)] == [(1, WHY)]  # type: ignore[attr-defined]
    assert [event.how for event in there.of(JobEnded)] == [f"HELD ({WHY})"]  # type: ignore[attr-defined]
    assert sorted(there.jobs) == ["102"]
    jobs = there.lab.state.jobs
    assert (jobs.amiss, jobs.in_vain) == ({"memory": 1}, 0)


def test_while_its_worker_finishes_what_it_is_at_it_is_left_alone() -> None:
    there = queue(at_most=1)
    there.look()
    there.begin("101")
    there.stuck["101"] = WHY
    name, worker, _ = there.jobs["101"]
    there.jobs["101"] = (name, worker, False)
    there.passes(HOUR_S)
    assert there.of(JobCalledOff) == []


def test_those_that_never_began_came_to_nothing_and_after_some_no_more_are_submitted() -> None:
    there = queue(at_most=1)
    for _ in range(2_000):
        there.passes(10.0)
        there.stuck = dict.fromkeys(there.jobs, "Failed to execute worker.sh")
    assert given_up(there.lab.state)
    assert there.taken == IN_VAIN_MOST
    assert there.jobs == {}
