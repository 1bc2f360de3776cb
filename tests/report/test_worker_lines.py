"""What a person sees of a run's workers: what each runs, for how long, and what that reports."""

from __future__ import annotations

import pytest
from recorded_runs import RecordedRun, always


def test_a_worker_line_says_what_runs_for_how_long_and_what_it_reports():
    run = RecordedRun().begin().settle(3, always(1.0))
    worker = run.scheduler.state.crew.workers["local-1"]
    (lease, number) = next(iter(worker.running.items()))
    run.chronicle.progressed(lease, 12, {"loss": 0.25})
    line = next(line for line in run.view(after_s=4.0).crew.workers if line.name == "local-1")
    assert line.running[0].trial == number
    assert line.running[0].seconds == pytest.approx(4.0)
    assert (line.running[0].step, line.running[0].values) == (12, (("loss", 0.25),))
    assert line.completed + next(w for w in run.view().crew.workers if w.name == "local-2").completed == 3


def test_names_of_what_is_reported_cannot_speak_to_the_terminal():
    run = RecordedRun().begin(workers=1).settle(1, always(1.0))
    run.chronicle.progressed("2.1", 1, {"\x1b[2Jloss\n": 0.25})
    assert run.view().crew.workers[0].running[0].values == ((" [2Jloss ", 0.25),)


def test_progress_of_a_lease_that_ended_is_forgotten():
    run = RecordedRun().begin(workers=1).settle(1, always(1.0))
    run.chronicle.progressed("2.1", 1, {"loss": 1.0})
    run.settle(1, always(None))
    line = run.view().crew.workers[0]
    assert (line.running[0].trial, line.running[0].attempt, line.running[0].step) == (2, 2, None)


def test_workers_are_listed_as_people_count():
    run = RecordedRun().begin(workers=11)
    assert [line.name for line in run.view().crew.workers][-2:] == ["local-10", "local-11"]
