"""The faces of a run: a live screen, plain lines, JSON, silence. None of them holds the run up."""

from __future__ import annotations

import io
import json
import math
import threading
from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always
from rich.console import Console

from orchestrator.report.monitors.json_lines import JsonLinesMonitor
from orchestrator.report.monitors.plain import PlainMonitor
from orchestrator.report.monitors.quiet import QuietMonitor
from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.terminal import live
from orchestrator.report.terminal.live import LiveMonitor
from orchestrator.runtime.monitor import Monitor, Opening
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.machine import Scheduler


def shown(monitor: Monitor, run: RecordedRun) -> None:
    """The run as the loop would tell it."""
    scheduler = Scheduler(run.scheduler.state.policy)
    monitor.opened(Opening(run.spec, Path("logs/wing-1"), "tcp://127.0.0.1:5555", resumed=False))
    for event in run.events:
        scheduler.handle(event)
        monitor.observed(event, scheduler.state)
        monitor.ticked(scheduler.state, event.at)
    monitor.progressed("1.1", 3, {"loss": 0.5})
    monitor.noted("error", "something broke\nTraceback")
    monitor.closed(scheduler.state)


def test_plain_lines_tell_every_trial_and_the_best():
    stream = io.StringIO()
    shown(
        PlainMonitor(stream), RecordedRun().begin().settle(4, lambda trial: [5.0, 7.0, 3.0, 4.0][trial - 1])
    )
    lines = stream.getvalue().splitlines()
    assert lines[0] == "wing begins: minimise drag with auto"
    assert "workers dial tcp://127.0.0.1:5555" in lines[1]
    results = [line for line in lines if " from local-" in line]
    assert len(results) == 4
    assert [", the best so far, with span" in line for line in results] == [True, False, True, False]
    assert "error: something broke" in lines[-1]


def test_a_trial_stopped_by_what_it_reported_is_one_line():
    run = RecordedRun().begin().answer_asks()
    run.happen(ev.TrialFoundHopeless(at=3.0, lease="1.1", reason="stopped: loss was 9 at step 3, above 5"))
    stream = io.StringIO()
    shown(PlainMonitor(stream), run)
    lines = [line for line in stream.getvalue().splitlines() if " trial 1" in line]
    assert [line.partition("trial 1 ")[2] for line in lines] == ["stopped: loss was 9 at step 3, above 5"]
    assert sum("trial 1 " in happening.sentence for happening in run.view().happenings) == 1


def test_a_refused_trial_is_one_line():
    text = SPEC.replace('evaluator: "wings:drag"', 'approval: true, evaluator: "wings:drag"')
    run = RecordedRun(text).begin().answer_asks()
    run.happen(ev.TrialRefused(at=3.0, trial=1, reason="too close to the window"))
    stream = io.StringIO()
    shown(PlainMonitor(stream), run)
    lines = [line for line in stream.getvalue().splitlines() if " trial 1" in line]
    assert [line.partition("trial 1 ")[2] for line in lines] == ["was refused: too close to the window"]


def test_a_failure_that_came_late_is_not_said_to_be_one_of_its_trial():
    run = RecordedRun().begin(workers=2).answer_asks()
    run.happen(ev.WorkerLeft(at=1.0, worker="local-1", lost=True, reason="silent for 10 s"))
    run.happen(ev.ResultArrived(at=2.0, worker="local-2", lease="2.1", value=3.0))
    for at, lease in ((3.0, "1.1"), (4.0, "1.2"), (5.0, "1.2"), (6.0, "1.3"), (7.0, "1.1")):
        run.happen(ev.FailureArrived(at=at, worker="local-1", lease=lease, kind="error", message=f"at {at}"))
    run.happen(ev.ResultArrived(at=8.0, worker="local-2", lease="1.1", value=3.0))
    stream = io.StringIO()
    shown(PlainMonitor(stream), run)
    about = [line.strip() for line in stream.getvalue().splitlines() if " trial 1" in line]
    assert about == [
        "0:03  local-1 sent a late failure of trial 1, recorded",
        "0:04  trial 1 failed, to be tried again: error: at 4.0",
        "0:05  local-1 sent a late failure of trial 1, recorded",
        "0:06  trial 1 failed for good: error: at 6.0",
        "0:07  local-1 sent a late failure of trial 1, recorded",
        "0:08  local-2 sent 3 for trial 1, too late to count: it is failed; recorded",
    ]


def test_thousands_of_results_a_second_become_a_few_lines():
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 4000")).begin(workers=8)
    run.settle(4000, always(5.0), every_s=0.001)
    stream = io.StringIO()
    shown(PlainMonitor(stream), run)
    lines = stream.getvalue().splitlines()
    assert len(lines) < 30 * (run.at + 2)
    assert any("more lines: 4,000 completed, best 5" in line for line in lines)


def test_json_lines_are_the_events_and_each_trial_settled_once():
    stream = io.StringIO()
    run = RecordedRun().begin(workers=1).settle(5, lambda trial: None if trial == 2 else 1.0)
    shown(JsonLinesMonitor(stream), run)
    told = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert told[0]["event"] == "RunOpened"
    events = [one["event"] for one in told if one["event"] in {type(event).__name__ for event in run.events}]
    assert events == [type(event).__name__ for event in run.events]
    settled = {one["trial"]: one["state"] for one in told if one["event"] == "TrialSettled"}
    assert settled == {1: "completed", 2: "failed", 3: "completed"}
    assert told[-1]["event"] == "RunClosed"
    assert told[-1]["best"]["parameters"]["skin"] == "carbon"


def test_a_quantity_that_is_not_finite_leaves_a_line_what_any_reader_of_json_takes():
    stream, run = io.StringIO(), RecordedRun().begin()
    monitor = JsonLinesMonitor(stream)
    monitor.opened(Opening(run.spec, Path("logs/wing-1"), "", resumed=False))
    monitor.progressed("1.1", 3, {"loss": math.nan, "norm": math.inf, "rate": 0.5})
    monitor.closed(run.scheduler.state)
    assert '"values":{"loss":null,"norm":null,"rate":0.5}' in stream.getvalue()


def test_a_reader_that_goes_away_does_not_end_the_run():
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    for monitor in (JsonLinesMonitor(Gone()), PlainMonitor(Gone())):
        shown(monitor, RecordedRun().begin().settle(3, always(1.0)))


def test_a_reader_that_pauses_does_not_hold_the_loop_up():
    may_read = threading.Event()

    class Paused(io.StringIO):
        def write(self, text: str) -> int:
            assert may_read.wait(120.0)
            return super().write(text)

    stream, run = Paused(), RecordedRun().begin().settle(10, always(1.0))
    monitor = JsonLinesMonitor(stream)
    monitor.opened(Opening(run.spec, Path("logs/wing-1"), "", resumed=False))
    scheduler = Scheduler(run.scheduler.state.policy)
    for event in run.events:
        scheduler.handle(event)
        monitor.observed(event, scheduler.state)
        monitor.ticked(scheduler.state, event.at)
    assert stream.getvalue() == ""
    may_read.set()
    monitor.closed(scheduler.state)
    assert len(stream.getvalue().splitlines()) > 10


def test_silence_is_broken_by_errors_only():
    stream = io.StringIO()
    shown(QuietMonitor(stream), RecordedRun().begin().settle(3, always(None)))
    assert stream.getvalue() == "something broke\n"


def test_the_live_screen_gives_the_terminal_back_and_leaves_its_picture():
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=80, height=24, legacy_windows=False)
    shown(LiveMonitor(console), RecordedRun().begin().settle(20, always(1.0)))
    written = stream.getvalue()
    assert written.count("\x1b[?1049h") == written.count("\x1b[?1049l") == 1
    after = written.split("\x1b[?1049l")[1]
    assert "20/20" in after
    assert "\x1b[?25l" not in after


class SlowViews:
    """A clock that goes on by ticks, and by what each view takes."""

    def __init__(self, each_s: float) -> None:
        self.each_s, self.now, self.made = each_s, 0.0, 0

    def monotonic(self) -> float:
        return self.now

    perf_counter = monotonic

    def thread_time(self) -> float:
        return 0.0

    def view(self, view, *of):
        self.now += self.each_s
        self.made += 1
        return view(*of)


def test_the_longer_a_view_takes_the_more_seldom_it_is_made(monkeypatch: pytest.MonkeyPatch):
    clock, view = SlowViews(each_s=0.1), Chronicle.view
    monkeypatch.setattr(live, "time", clock)
    monkeypatch.setattr(Chronicle, "view", lambda *of: clock.view(view, *of))
    run = RecordedRun().begin().settle(20, always(1.0))
    monitor = LiveMonitor(Console(file=io.StringIO(), force_terminal=True, width=80, height=24))
    monitor.opened(Opening(run.spec, Path("logs/wing-1"), "tcp://127.0.0.1:5555", resumed=False))
    while clock.now < 100.0:
        clock.now += 0.2
        monitor.ticked(run.scheduler.state, clock.now)
    assert 10 < clock.made < 40
    monitor.closed(run.scheduler.state)


def test_a_terminal_that_is_gone_does_not_end_the_run():
    class Hung(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(5, "Input/output error")

    console = Console(file=Hung(), force_terminal=True, width=80, height=24, legacy_windows=False)
    shown(LiveMonitor(console), RecordedRun().begin().settle(3, always(1.0)))


def test_a_result_that_ends_the_run_is_told_of_its_own_trial_and_not_of_one_that_it_abandons():
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 20, target: 2.0")).begin(workers=3).answer_asks()
    run.happen(ev.ResultArrived(at=9.0, worker="local-3", lease="3.1", value=1.0))
    abandoned = run.scheduler.state.tally.abandoned
    stream = io.StringIO()
    shown(PlainMonitor(stream), run)
    *_, reached, left, _error = [line[10:] for line in stream.getvalue().splitlines()]
    assert reached.startswith("trial 3: 1 from local-3, the best so far, with span 1.3 m")
    assert left == f"{abandoned} trials abandoned"
