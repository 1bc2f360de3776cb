"""A folder of runs in all the states that there are, for the tests of what lists them."""

from __future__ import annotations

import sys
from pathlib import Path

from recorded_runs import SPEC, RecordedRun, write_run

from orchestrator.report.following.standing_monitor import StandingMonitor
from orchestrator.report.monitors.quiet import QuietMonitor
from orchestrator.runtime.folder.journal import Header, encode_line
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.monitor import Opening
from orchestrator.scheduler import events as ev

SHORT = SPEC.replace("trials: 20", "trials: 4").replace("60 s", "60 s, attempts: 1")


def run_of(
    spec_text: str = SHORT,
    values: tuple[float | None, ...] = (3.0, 2.0, 4.0, 1.5),
    day: int = 1,
    seed: int = 0,
) -> RecordedRun:
    """One whose trials gave these values, or failed, a second after another, on that day of January."""
    run = RecordedRun(f"{spec_text}seed: {seed}\n")
    run.happen(ev.RunStarted(at=0.0, run="wing", wall=f"2026-01-{day:02d}T09:30:00+00:00"))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    given = iter(values)
    return run.settle(len(values), lambda _: next(given))


def damaged(folder: Path, run: RecordedRun) -> RunFolder:
    """A byte of the third line is another."""
    written = run.write(folder)
    lines = written.journal.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b"local-1", b"local-2")
    written.journal.write_bytes(b"".join(lines))
    return written


def of_another_version(folder: Path, run: RecordedRun) -> RunFolder:
    """Whose journal has another format."""
    written = write_run(folder, run.spec_text, [])
    written.journal.write_bytes(encode_line(0, Header(2, "of 2031", run.spec_text)))
    return written


def kept(run: RecordedRun, folder: RunFolder, seen: list[ev.Event] | None = None) -> RunFolder:
    """What its last life keeps, which saw ``seen`` of its events become safe: all by default."""
    monitor = StandingMonitor(QuietMonitor(sys.stderr))
    monitor.opened(Opening(run.spec, folder.path, "tcp://10.0.0.1:5555", resumed=False))
    for event in run.events if seen is None else seen:
        monitor.observed(event, run.scheduler.state)
    monitor.ticked(run.scheduler.state, run.at)
    monitor.closed(run.scheduler.state)
    return folder
