"""The first turn of a life that takes a run over: workers that went on deliver, and each trial is told once.

All events of a turn are handled before the first is told of, so that the state is ahead of the one that says
that the run was resumed.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path

from recorded_runs import SPEC, RecordedRun

from orchestrator.report.monitors.json_lines import JsonLinesMonitor
from orchestrator.report.monitors.plain import PlainMonitor
from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.seen.view import View
from orchestrator.runtime.monitor import Monitor, Opening
from orchestrator.scheduler import events as ev

REMOTE = SPEC.replace("local: 2", "local: 0, remote: 3")


def left_behind(spec_text: str = REMOTE) -> RecordedRun:
    """A run of which the first trial gave 5, and whose orchestrator died when three more ran on lab3."""
    run = RecordedRun(spec_text).begin(workers=0)
    run.happen(ev.WorkerJoined(at=0.5, worker="lab3", slots=3)).answer_asks()
    run.happen(delivered("1.1", 5.0, at=4.0)).answer_asks()
    assert run.scheduler.state.running == 3
    return run


def delivered(lease: str, value: float, at: float = 9.0) -> ev.ResultArrived:
    return ev.ResultArrived(at=at, worker="lab3", lease=lease, value=value)


def taken_over(run: RecordedRun, *group: ev.Event, left: Sequence[ev.Event] = ()) -> list[ev.Event]:
    """The first turn of the next life, which has handled all of it, and in which lab3 says hello.

    ``left`` is what was amended before.
    """
    joined = ev.WorkerJoined(at=9.0, worker="lab3", slots=3, held=("2.1", "3.1", "4.1"))
    turn = [ev.RunResumed(at=run.at, wall="2024-01-02T00:00:00"), *left, joined, *group]
    for event in turn:
        run.scheduler.handle(event)
    return turn


def lines_of(monitor: Monitor, stream: io.StringIO, run: RecordedRun, turn: list[ev.Event]) -> list[str]:
    monitor.opened(Opening(run.spec, Path("logs/wing-1"), "tcp://127.0.0.1:5555", resumed=True))
    for event in turn:
        monitor.observed(event, run.scheduler.state)
    monitor.closed(run.scheduler.state)
    return stream.getvalue().splitlines()


def told(run: RecordedRun, turn: list[ev.Event]) -> list[str]:
    """What is said of the turn in plain lines, without the times."""
    stream = io.StringIO()
    return [line[10:] for line in lines_of(PlainMonitor(stream), stream, run, turn)[2:]]


def view_of(run: RecordedRun, turn: list[ev.Event]) -> View:
    chronicle = Chronicle(run.spec)
    for event in turn:
        chronicle.take(event, run.scheduler.state)
    return chronicle.view(run.scheduler.state, 10.0)


def test_results_that_came_meanwhile_are_told_as_those_of_any_turn() -> None:
    run = left_behind()
    turn = taken_over(run, delivered("2.1", 7.0), delivered("3.1", 3.0))
    resumed, joined, second, third = told(run, turn)
    assert resumed == "the run was resumed"
    assert joined == "lab3 joined, still working on 3 trials"
    assert second == "trial 2: 7 from lab3"
    assert third.startswith("trial 3: 3 from lab3, the best so far, with span 1.3 m")
    assert view_of(run, turn).found.curve == ((1, 5.0), (3, 3.0))


def test_programs_are_told_of_them_too() -> None:
    run = left_behind()
    stream = io.StringIO()
    lines = lines_of(JsonLinesMonitor(stream), stream, run, taken_over(run, delivered("3.1", 3.0)))
    settled = [told["trial"] for told in map(json.loads, lines) if told["event"] == "TrialSettled"]
    assert settled == [3]


def test_what_was_settled_before_is_not_told_again_though_it_is_sent_again() -> None:
    """The last that was on disk may not have been acknowledged."""
    run = left_behind()
    turn = taken_over(run, delivered("1.1", 5.0))
    assert told(run, turn)[2:] == ["lab3 sent a late result of trial 1, recorded"]
    assert view_of(run, turn).found.curve == ((1, 5.0),)


def test_trials_that_its_result_leaves_for_good_are_told_with_it() -> None:
    run = left_behind(REMOTE.replace("trials: 20", "trials: 20, target: 2.0"))
    turn = taken_over(run, delivered("2.1", 7.0), delivered("3.1", 1.0))
    said, abandoned = told(run, turn), run.scheduler.state.tally.abandoned
    assert abandoned > 0
    assert said.count(f"{abandoned} trial{'s' if abandoned > 1 else ''} abandoned") == 1
    assert [line for line in said if line.startswith("trial 3: 1 from lab3, the best so far")]


def test_results_beside_bounds_that_were_left_are_counted_once() -> None:
    run = left_behind()
    narrower = ev.BoundsAmended(at=8.0, bounds={"span": (1.0, 2.0)})
    turn = taken_over(run, delivered("3.1", 3.0), left=[narrower])
    assert view_of(run, turn).found.curve == ((1, 5.0), (2, 3.0))
