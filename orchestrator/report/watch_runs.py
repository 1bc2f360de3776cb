"""`orchestrator runs --watch`: the list of runs on the screen, as they go on and as more begin."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime

from rich.console import Console

from orchestrator.errors import OrchestratorError
from orchestrator.report.following.listing import RunsMeant
from orchestrator.report.following.runs_again import RunsAgain
from orchestrator.report.terminal.live import SHARE_OF_TIME, Canvas, print_lines
from orchestrator.report.terminal.runs_screen import RunsNow, runs_screen

LOOKED_EVERY_S = 1.0


def watch_runs(meant: RunsMeant, console: Console) -> None:
    """Draw them until somebody presses Ctrl-C, and their last picture for good. Raises UsageError where there
    is none to begin with.
    """
    again = RunsAgain(meant)
    shown = _look(again)
    try:
        with Canvas(console, runs_screen) as canvas:
            while True:
                begun = time.thread_time()
                shown = _look_again(again, shown)
                canvas.show(shown)
                spent = time.thread_time() - begun
                time.sleep(max(LOOKED_EVERY_S, spent / SHARE_OF_TIME))
    except KeyboardInterrupt:
        pass
    width, _ = console.size
    print_lines(runs_screen(shown, width, len(shown.runs) + 10), console)


def _look(again: RunsAgain) -> RunsNow:
    return RunsNow(again.now(), datetime.now().astimezone())


def _look_again(again: RunsAgain, before: RunsNow) -> RunsNow:
    """What was seen before stays, where a disk of another machine is gone for a while."""
    try:
        return _look(again)
    except OrchestratorError as error:
        return replace(before, trouble=str(error))
