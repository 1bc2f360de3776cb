"""What people are shown of recorded runs, in each of the ways that there are."""

from __future__ import annotations

import io
from pathlib import Path

from recorded_runs import RecordedRun
from rich.console import Console

from orchestrator.report.closing import closing_words
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.monitors.plain import PlainMonitor
from orchestrator.report.terminal.live import frame
from orchestrator.report.terminal.screen import screen
from orchestrator.runtime.monitor import Opening
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.policy_of_spec import policy_of


def followed(run: RecordedRun, folder: Path) -> FollowedRun:
    """It as read from disk."""
    return read_run(run.write(folder / "logs" / "wing-1"))


def drawn(run: RecordedRun, width: int = 100, height: int = 30, after_s: float = 0.0) -> str:
    """The screen."""
    console = Console(width=width, height=height, record=True, file=io.StringIO(), force_terminal=True)
    console.print(frame(screen(run.view(after_s), *console.size)))
    return console.export_text()


def plainly(run: RecordedRun) -> str:
    """The plain lines of the same events."""
    stream, scheduler = io.StringIO(), Scheduler(policy_of(run.spec))
    monitor = PlainMonitor(stream)
    monitor.opened(Opening(run.spec, Path("logs/wing-1"), "", False))
    for event in run.events:
        scheduler.handle(event)
        monitor.observed(event, scheduler.state)
    monitor.closed(scheduler.state)
    return stream.getvalue()


def closing(run: FollowedRun) -> str:
    """What `run` says in the end."""
    return closing_words(run.spec, RunOutcome(run.folder.path, run.state, False, False, ""))
