"""Workers of jobs that have nothing to do, or that a person would have no more, go home."""

from __future__ import annotations

from dataclasses import replace

from virtual_queue import HOUR_S, QueueLab, queue

from orchestrator.scheduler.amendment_events import JobsAmended
from orchestrator.scheduler.job_events import JobSentHome
from orchestrator.scheduler.rules.slots_needed import SlotsNeeded


def test_who_has_nothing_to_do_for_long_goes_home_and_is_not_replaced_before_there_is_something() -> None:
    """A round of two, of which one takes long."""
    there = queue(mode="synchronous", batch=2)
    there.rule = replace(there.rule, idle_s=600.0)
    there.look()
    assert len(there.jobs) == 2
    there.begin("101")
    there.begin("102")
    there.lab.succeed("1.1", worker="job-1")
    there.passes(590.0)
    assert there.of(JobSentHome) == []
    there.passes(HOUR_S)
    assert [event.number for event in there.of(JobSentHome)] == [1]  # type: ignore[attr-defined]
    assert sorted(there.jobs) == ["102"]
    there.lab.succeed("2.1", worker="job-2")
    there.lab.suggest()
    there.passes(10.0)
    assert sorted(there.jobs) == ["102", "103"]
    assert there.lab.state.jobs.in_vain == 0


def with_two_at_work(**told: int) -> QueueLab:
    """A job each, and a trial each."""
    there = queue(**told)
    there.rule = replace(there.rule, idle_s=600.0)
    there.look()
    for job in ("101", "102"):
        there.begin(job)
        if there.lab.state.optimiser.asking is not None:
            there.lab.suggest()
    return there


def test_the_tail_of_a_run_keeps_no_worker_that_has_nothing_to_do() -> None:
    there = with_two_at_work(trials=2)
    there.lab.succeed("1.1", worker="job-1")
    there.passes(HOUR_S)
    assert sorted(there.jobs) == ["102"]


def test_a_run_that_is_stopped_keeps_nobody_either_while_others_finish_what_they_are_at() -> None:
    there = with_two_at_work(at_most=2)
    there.lab.stop()
    there.lab.succeed("1.1", worker="job-1")
    there.passes(590.0)
    assert sorted(there.jobs) == ["101", "102"]
    there.passes(HOUR_S)
    assert sorted(there.jobs) == ["102"]
    assert there.lab.leases("job-2") == ["2.1"]


def test_while_the_optimiser_chooses_nobody_goes_home() -> None:
    there = queue(at_most=1)
    there.rule = replace(there.rule, idle_s=600.0)
    there.look()
    there.begin("101")
    there.lab.succeed("1.1", worker="job-1")
    assert there.lab.state.optimiser.asking is not None
    there.passes(HOUR_S)
    assert there.of(JobSentHome) == []


def test_for_what_is_larger_than_a_job_nobody_stays_or_is_submitted_until_a_person_goes_on() -> None:
    """Who may have the next ask for larger ones."""
    there = queue(at_most=2, slots=SlotsNeeded(lambda _: 8.0, most=1_024))
    there.rule = replace(there.rule, idle_s=600.0)
    there.look()
    assert len(there.jobs) == 2
    there.begin("101", slots=4)
    there.begin("102", slots=4)
    while there.lab.state.optimiser.asking is not None:
        there.lab.suggest()
    there.passes(2 * HOUR_S)
    assert there.jobs == {}
    assert there.taken == 2
    there.lab.resume()
    there.passes(10.0)
    assert sorted(there.jobs) == ["103", "104"]
    assert there.lab.leases(there.begin("103", slots=8))
    there.passes(HOUR_S)
    assert "103" in there.jobs


def test_a_job_that_waits_for_what_is_larger_than_the_others_is_taken_back() -> None:
    there = queue(at_most=2, slots=SlotsNeeded(lambda _: 8.0, most=1_024), trials=2)
    there.look()
    there.begin("101", slots=4)
    there.lab.suggest()
    there.passes(20.0)
    assert sorted(there.jobs) == ["101"]


def test_a_job_of_an_earlier_life_says_nothing_of_how_large_the_next_are() -> None:
    there = queue(at_most=2, slots=SlotsNeeded(lambda _: 8.0, most=1_024), trials=1)
    there.look()
    there.begin("101", slots=4)
    there.passes(20.0)
    there.lab.resume()
    there.lab.join("job-1", slots=4)
    there.passes(20.0)
    assert sorted(there.jobs) == ["101", "103"]


def test_who_is_too_small_for_all_that_waits_goes_home_and_what_is_large_enough_is_submitted() -> None:
    there = queue(at_most=2, slots=SlotsNeeded(lambda _: 8.0, most=1_024), trials=3)
    there.rule = replace(there.rule, idle_s=600.0)
    there.look()
    there.begin("101", slots=4)
    there.begin("102", slots=8)
    while there.lab.state.optimiser.asking is not None:
        there.lab.suggest()
    there.passes(1_200.0)
    assert sorted(there.jobs) == ["102", "103"]


def test_who_was_given_something_in_the_last_moment_does_not_go_home() -> None:
    there = queue(at_most=1, mode="synchronous", batch=1)
    there.look()
    there.begin("101")
    there.lab.happen(JobSentHome(at=there.lab.tick(), number=1, idle_s=600.0))
    assert there.lab.leases("job-1")
    assert not there.lab.state.crew.workers["job-1"].draining


def test_a_person_says_otherwise_how_many_there_may_be() -> None:
    there = queue(at_most=2)
    there.look()
    there.begin("101")
    there.begin("102")
    there.lab.happen(JobsAmended(at=there.lab.tick(), at_most=4))
    there.look()
    assert sorted(there.jobs) == ["101", "102", "103", "104"]
    busy = next(name for name in ("job-1", "job-2") if there.lab.leases(name))
    there.lab.happen(JobsAmended(at=there.lab.tick(), at_most=1))
    there.passes(20.0)
    # Who has nothing to do goes first, and what waits does not begin.
    assert [worker for _, worker, _ in there.jobs.values()] == [busy]
    there.lab.happen(JobsAmended(at=there.lab.tick(), at_most=0))
    there.passes(20.0)
    assert there.lab.state.crew.workers[busy].draining
    assert there.lab.leases(busy)
