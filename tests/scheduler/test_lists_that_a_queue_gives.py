"""Jobs have ended by what their queue lists, and by what it says of one that it lists no more."""

from __future__ import annotations

from dataclasses import replace

from virtual_queue import HOUR_S, queue

from orchestrator.scheduler.job_events import JobEnded
from orchestrator.scheduler.job_fates import MEMORY
from orchestrator.scheduler.job_keeping import heard, to_ask_after
from orchestrator.scheduler.job_lists import Fate, Listed, Listing


def test_a_queue_that_does_not_answer_has_lost_nothing() -> None:
    there = queue()
    there.look()
    there.silent = True
    there.passes(HOUR_S)
    assert (there.ended, there.taken) == (0, 3)


def test_a_list_that_is_empty_by_mistake_has_not_lost_all_that_wait() -> None:
    there = queue()
    there.look()
    there.passes(20.0)
    there.blank = True
    there.passes(60.0)
    there.blank = False
    there.passes(HOUR_S)
    assert (there.ended, there.taken) == (0, 3)


def test_nor_one_that_lacks_a_job_once() -> None:
    there = queue()
    there.look()
    there.passes(20.0)
    lacking = there.jobs.pop("102")
    there.passes(10.0)
    there.jobs["102"] = lacking
    there.passes(60.0)
    assert (there.ended, there.taken) == (0, 3)
    del there.jobs["102"]
    there.passes(40.0)
    assert there.ended == 1


def test_a_queue_that_says_how_a_job_ended_need_not_be_asked_twice() -> None:
    there = queue(at_most=2)
    there.look()
    there.passes(20.0)
    there.tells = {"101": Fate(over=True, how="OUT_OF_MEMORY, signal 125"), "102": Fate(over=False)}
    there.jobs.clear()
    there.passes(10.0)
    assert [event.how for event in there.of(JobEnded)] == ["OUT_OF_MEMORY, signal 125"]  # type: ignore[attr-defined]
    assert there.lab.state.jobs.amiss == {MEMORY: 1}
    # What goes on though it is not listed is waited for.
    there.passes(HOUR_S)
    assert 2 in there.lab.state.jobs.known


def test_a_job_is_not_taken_for_ended_before_the_queue_was_asked_how() -> None:
    there = queue(at_most=1)
    there.look()
    there.begin("101")
    there.end("101")
    known = there.lab.state.jobs.known.values()
    others = {"7": Listed(job="7", state="R")}
    listing = Listing(there.lab.now + 20.0, others).after(Listing(), known, listed_s=10.0)
    assert [job.job for job in to_ask_after(there.lab.state, listing)] == ["101"]
    assert [*heard(there.lab.state, there.rule, listing, there.lab.now + 20.0)] == []
    asked = replace(listing, fates={1: None})
    assert [*to_ask_after(there.lab.state, asked)] == [], "it is asked once"
    assert len([*heard(there.lab.state, there.rule, asked, there.lab.now + 20.0)]) == 1
    others["101"] = Listed(job="101", state="CG")
    listed = Listing(there.lab.now + 20.0, others).after(Listing(), known, listed_s=10.0)
    assert [*to_ask_after(there.lab.state, listed)] == [], "what is listed says itself how it stands"


def test_what_was_taken_back_or_worked_did_not_end_badly_as_it_was_cancelled() -> None:
    there = queue(at_most=1)
    there.look()
    there.begin("101")
    there.lab.succeed("1.1", worker="job-1")
    there.tells = {"101": Fate(over=True, how="CANCELLED by 1000")}
    there.end("101")
    there.passes(10.0)
    assert (there.ended, there.lab.state.jobs.amiss, there.lab.state.jobs.in_vain) == (1, {}, 0)
