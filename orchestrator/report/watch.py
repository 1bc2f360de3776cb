"""`orchestrator watch`: the screen of a run from outside, live or afterwards."""

from __future__ import annotations

import re
import time
from io import StringIO
from typing import TextIO

from rich.console import Console

from orchestrator.errors import OrchestratorError
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.following.standing import written_standing
from orchestrator.report.monitors.json_lines import JsonLinesMonitor
from orchestrator.report.monitors.plain import PlainMonitor
from orchestrator.report.seen.outlook import Attendance, activity
from orchestrator.report.seen.view import View
from orchestrator.report.terminal.live import INTERVAL_S, Canvas, print_lines
from orchestrator.report.terminal.screen import screen
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.monitor import Monitor, Opening
from orchestrator.scheduler.transitions import Phase


def watch_on_screen(folder: RunFolder, console: Console) -> None:
    """Draw the run until it ends, and its last picture for good. Ctrl-C ends the watching, not the run."""
    run = FollowedRun.open(folder)
    try:
        holder = folder.holder()
        if holder is not None:
            with Canvas(console, screen) as canvas:
                # Whoever takes up a run that had ended holds it before the journal says so.
                while holder is not None:
                    if canvas.due:
                        canvas.show(_view_now(run, folder, holder))
                    time.sleep(INTERVAL_S)
                    holder = folder.holder()
    except KeyboardInterrupt:
        pass
    run.catch_up()
    width, height = console.size
    print_lines(screen(run.view(_held(run)), width, height - 1), console)


def _view_now(run: FollowedRun, folder: RunFolder, holder: dict[str, object]) -> View:
    """As whoever works on the run says, or else as its journal does."""
    standing = written_standing(folder, holder)
    if standing is not None:
        return standing.view
    run.catch_up()
    return run.view(_held(run))


def picture(folder: RunFolder) -> str:
    """The screen of a run as it is now, as SVG, on a terminal of 100 columns and 30 rows."""
    run = FollowedRun.open(folder)
    run.catch_up()
    width, height = 100, 30
    console = Console(record=True, width=width, height=height, file=StringIO(), force_terminal=True)
    print_lines(screen(run.view(_held(run)), width, height), console)
    drawn = console.export_svg(title=f"orchestrator watch {folder.name}")
    # rich names fonts of another host's; a picture must not fetch anything.
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)


def watch_in_lines(folder: RunFolder, stream: TextIO, *, as_json: bool) -> None:
    """Tell the run from its beginning in lines, and go on until it ends.

    Raises `OrchestratorError` where they cannot be written, though somebody would read them.
    """
    run = FollowedRun.open(folder)
    unwritten: list[str] = []
    monitor: Monitor = (JsonLinesMonitor if as_json else PlainMonitor)(stream, unwritten.append)
    monitor.opened(Opening(run.spec, folder.path, "", resumed=False))
    try:
        while True:
            # Asked first: what was written before the run was let go is then read below.
            held = folder.holder() is not None
            for event in run.reader:
                run.scheduler.handle(event)
                monitor.observed(event, run.state)
            monitor.ticked(run.state, run.state.at)
            if not held or unwritten:
                break
            time.sleep(INTERVAL_S)
    except KeyboardInterrupt:
        pass
    if not as_json:
        attendance = Attendance(attended=folder.holder() is not None, folder=str(folder.path))
        monitor.noted("info", activity(run.spec, run.state, run.state.at, attendance))
    monitor.closed(run.state)
    if unwritten:
        raise OrchestratorError(f"expected to write to standard output, got: {unwritten[0]}")


def _held(run: FollowedRun) -> bool:
    return run.state.phase is not Phase.FINISHED and run.folder.holder() is not None
