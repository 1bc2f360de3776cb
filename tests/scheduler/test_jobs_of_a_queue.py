"""How many jobs a run has in its queue: as many as there is work for, and none again and again in vain."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lab import only
from virtual_queue import HOUR_S, queue

from orchestrator.scheduler.amendment_events import BudgetAmended, JobsAmended, RunPaused
from orchestrator.scheduler.job_events import JobCalledOff, JobRefused, JobSubmitted
from orchestrator.scheduler.job_keeping import IN_VAIN_MOST, given_up


def test_as_many_are_submitted_as_may_be_and_what_ends_is_replaced_under_its_worker_s_name() -> None:
    there = queue()
    there.look()
    assert [worker for _, worker, _ in there.jobs.values()] == ["job-1", "job-2", "job-3"]
    there.begin("102")
    there.lab.succeed("1.1", worker="job-2")
    there.end("102")
    there.passes(20.0)
    assert {job: worker for job, (_, worker, _) in there.jobs.items()} == {
        "101": "job-1",
        "103": "job-3",
        "104": "job-2",
    }


def test_never_more_than_there_is_work_for() -> None:
    there = queue(at_most=8, trials=3)
    there.look()
    assert len(there.jobs) == 3
    one = queue(at_most=8, mode="sequential")
    one.look()
    assert len(one.jobs) == 1


def test_others_that_work_and_several_slots_of_a_job_need_fewer() -> None:
    there = queue(at_most=8, trials=16)
    there.lab.join("arm", slots=4)
    there.look()
    assert len(there.jobs) == 8
    # Each turns out to take four at a time: of twelve that are left three jobs are enough.
    there.begin("101", slots=4)
    there.passes(10.0)
    assert sorted(there.jobs) == ["101", "102", "103"]
    assert len(there.of(JobCalledOff)) == 5


def test_without_a_budget_of_trials_as_many_as_may_be() -> None:
    there = queue(trials=None, time_s=1e6)
    there.look()
    assert len(there.jobs) == 3


def test_a_paused_run_submits_none_and_one_that_stops_takes_back_what_waits() -> None:
    there = queue()
    there.look()
    there.begin("101")
    there.lab.happen(RunPaused(at=there.lab.tick()))
    there.end("102")
    there.passes(60.0)
    assert sorted(there.jobs) == ["101", "103"]
    there.lab.stop()
    there.passes(10.0)
    assert sorted(there.jobs) == ["101"]


def test_what_waits_again_as_it_was_preempted_is_taken_back_as_well() -> None:
    there = queue(at_most=1)
    there.look()
    there.begin("101")
    there.lab.succeed("1.1", worker="job-1")
    there.lab.leave("job-1", lost=False)
    there.jobs["101"] = ("wing-1", "job-1", False)
    there.passes(20.0)
    assert (sorted(there.jobs), there.ended) == (["101"], 0)
    there.lab.stop()
    there.passes(10.0)
    assert there.jobs == {}


def test_a_job_that_nobody_heard_of_is_known_by_its_name_though_its_worker_is_there() -> None:
    there = queue(at_most=1)
    there.deaf = True
    there.look()
    there.lab.resume()
    there.begin("101")
    there.passes(10.0)
    assert [event.job for event in there.of(JobSubmitted)] == ["101"]  # type: ignore[attr-defined]


def test_a_queue_that_drops_none_is_told_so_ever_more_seldom() -> None:
    there = queue(at_most=1)
    there.look()
    there.keeps = True
    there.lab.stop()
    there.passes(2 * HOUR_S)
    told = [event.at for event in only(JobCalledOff, there.lab.events)]
    assert [later - before for before, later in pairwise(told)] == [60.0, 120.0, 240.0, 480.0, 960.0, 1920.0]


def test_what_waits_is_taken_back_where_the_budget_is_lowered() -> None:
    there = queue(at_most=8)
    there.look()
    there.begin("101")
    made = there.lab.state.budgeted
    there.lab.happen(BudgetAmended(at=there.lab.tick(), trials=made + 1))
    there.passes(10.0)
    assert len(there.jobs) == made + 1


def test_jobs_that_come_to_nothing_are_tried_less_and_less_often_and_then_no_more() -> None:
    there = queue()
    waits, last = [], 0.0
    for _ in range(200):
        before = there.taken
        there.passes(10.0)
        if there.taken > before:
            waits.append(there.lab.now - last)
            last = there.lab.now
        for job in list(there.jobs):
            there.end(job)
    assert given_up(there.lab.state)
    # All three together once, and then one each time, as it is to be seen whether that does any better.
    assert there.taken == 3 + IN_VAIN_MOST - 1
    assert waits[1:] == sorted(waits[1:])
    there.lab.resume()
    there.passes(100.0)
    assert there.taken == 3 + IN_VAIN_MOST - 1 + 3


def test_one_that_does_something_clears_the_others() -> None:
    there = queue()
    there.look()
    for job in list(there.jobs):
        there.end(job)
    there.passes(150.0)
    assert len(there.jobs) == 1
    there.begin("104")
    there.lab.succeed("1.1", worker="job-1")
    there.passes(10.0)
    assert len(there.jobs) == 3


def test_a_queue_that_takes_none_is_asked_less_and_less_often_and_never_given_up() -> None:
    there = queue()
    there.refuses = True
    there.passes(2 * HOUR_S)
    refused = len(there.of(JobRefused))
    assert 10 < refused < 20
    there.refuses = False
    there.passes(0.25 * HOUR_S)
    assert len(there.jobs) == 3


def test_a_life_that_was_killed_while_it_submitted_finds_the_job_by_its_name() -> None:
    there = queue()
    there.deaf = True
    there.look()
    assert there.taken == 1
    there.deaf = False
    there.lab.resume()
    there.passes(10.0)
    assert [event.job for event in there.of(JobSubmitted)] == ["101", "102", "103"]  # type: ignore[attr-defined]
    assert there.taken == 3


def test_and_knows_by_the_name_that_it_was_never_taken() -> None:
    there = queue()
    there.deaf = True
    there.look()
    there.jobs.clear()
    there.deaf = False
    there.lab.resume()
    there.passes(60.0)
    assert there.taken == 3
    there.passes(60.0)
    assert len(there.jobs) == 3


def test_without_names_what_nobody_heard_of_counts_for_an_hour() -> None:
    there = queue(named=False)
    for life in range(1, 4):
        there.deaf = True
        there.look()
        assert there.taken == life
        there.lab.resume()
    there.deaf = False
    there.passes(0.9 * HOUR_S)
    assert there.taken == 3
    there.passes(0.2 * HOUR_S)
    assert there.taken == 6


def test_jobs_that_would_dial_where_the_run_is_no_more_are_submitted_anew() -> None:
    there = queue()
    there.look()
    there.begin("101")
    there.lab.resume()
    there.rule = type(there.rule)(3, "wing", "tcp://elsewhere:5556")
    there.passes(20.0)
    assert sorted(there.jobs) == ["101", "104", "105"]


class AnyQueue(RuleBasedStateMachine):
    """A queue that does as it likes, and a run that is killed at any moment."""

    @initialize(at_most=st.sampled_from([3, 1, 2, 4]), trials=st.sampled_from([12, 5, 1]))
    def begin(self, at_most: int, trials: int) -> None:
        """Some jobs are taken, or in few sequences there would be any."""
        self.there = queue(at_most, trials=trials)
        self.there.rule = replace(self.there.rule, idle_s=600.0)
        self.most = at_most
        self.there.passes(60.0)

    @rule(seconds=st.sampled_from([1.0, 15.0, 120.0, 1_000.0]))
    def pass_time(self, seconds: float) -> None:
        self.there.passes(seconds, step=max(10.0, seconds / 20.0))

    @precondition(lambda self: self.there.jobs)
    @rule(data=st.data(), slots=st.integers(1, 2))
    def job_begins(self, data: st.DataObject, slots: int) -> None:
        job = data.draw(st.sampled_from(sorted(self.there.jobs)))
        if not self.there.jobs[job][2]:
            self.there.begin(job, slots)

    @precondition(lambda self: self.there.jobs)
    @rule(data=st.data())
    def job_ends(self, data: st.DataObject) -> None:
        self.there.end(data.draw(st.sampled_from(sorted(self.there.jobs))))

    @rule(data=st.data())
    def something_comes_of_it(self, data: st.DataObject) -> None:
        running = [name for name in self.there.lab.state.crew.workers if self.there.lab.leases(name)]
        if running:
            worker = data.draw(st.sampled_from(running))
            self.there.lab.succeed(self.there.lab.leases(worker)[0], worker=worker)
        elif self.there.lab.state.optimiser.asking is not None:
            self.there.lab.suggest()

    @precondition(lambda self: self.there.lab.state.optimiser.asking is not None)
    @rule()
    def suggest(self) -> None:
        self.there.lab.suggest()

    @rule(refuses=st.booleans(), silent=st.booleans())
    def the_queue_changes(self, refuses: bool, silent: bool) -> None:
        self.there.refuses, self.there.silent = refuses, silent

    @rule(at_most=st.integers(0, 5))
    def a_person_says_otherwise_how_many(self, at_most: int) -> None:
        self.there.lab.happen(JobsAmended(at=self.there.lab.tick(), at_most=at_most))
        self.most = max(self.most, at_most)

    @rule(heard=st.booleans())
    def killed_and_resumed(self, heard: bool) -> None:
        """As it submits, if it does: nobody heard the answer, or not even the queue the question."""
        before = self.there.taken
        self.there.deaf = True
        self.there.look()
        self.there.deaf = False
        if not heard and self.there.taken > before:
            self.there.jobs.pop(f"{100 + self.there.taken}", None)
        self.there.lab.resume()

    @invariant()
    def no_more_than_may_be(self) -> None:
        if hasattr(self, "there"):
            assert len(self.there.jobs) <= self.most

    def teardown(self) -> None:
        """Left alone with a queue that answers, it has what there is work for, or nothing any more."""
        if not hasattr(self, "there"):
            return
        there = self.there
        there.refuses = there.silent = False
        there.lab.happen(JobsAmended(at=there.lab.tick(), at_most=there.at_most))
        there.lab.resume()
        there.passes(1_000.0, step=50.0)
        if there.lab.state.optimiser.asking is not None:
            there.lab.suggest()
        there.passes(1_000.0, step=50.0)
        if there.lab.state.resumable and there.lab.state.unsettled and not there.lab.state.crew.workers:
            assert there.jobs


AnyQueue.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
test_any_queue = AnyQueue.TestCase
