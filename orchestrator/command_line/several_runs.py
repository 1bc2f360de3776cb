"""`orchestrator report` of several runs: which, where their page goes, and what is of one run alone."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.command_line.files import say, write, write_charts
from orchestrator.command_line.following_page import every_seconds, or_elsewhere
from orchestrator.errors import UsageError

if TYPE_CHECKING:
    from orchestrator.report.following.listing import RunsMeant


def means_several(parsed: argparse.Namespace) -> bool:
    """Whether it is a page of several runs that is asked for."""
    return len(parsed.runs) > 1 or parsed.all or parsed.experiment is not None


def report_several(parsed: argparse.Namespace) -> int:
    """Several runs as one HTML page, or its charts alone. Raises UsageError for what is of one run."""
    from orchestrator.report.following.listing import RunsMeant, listed_with, newest_first
    from orchestrator.report.html.several_runs import Several, several_runs

    for name in ("picture", "trial", "sensitivity", "posterior", "places"):
        if getattr(parsed, name):
            raise UsageError(f"expected --{name} with one run, of which it is; got several")
    if parsed.all and parsed.runs:
        raise UsageError(
            f"expected either --all or the runs that are meant, got both: {parsed.runs[0]}; all that lie in"
            " another folder than logs: --all --logs DIR"
        )
    meant = RunsMeant([Path(named) for named in parsed.runs], parsed.logs, parsed.experiment)
    path = parsed.output or _page_of(meant)
    if parsed.follow:
        return _follow(parsed, meant, path)
    read = {told.path: (told, run) for told, run in map(listed_with, meant.paths())}
    shown = [read[told.path] for told in newest_first(told for told, _ in read.values())]
    document = several_runs(Several(shown, path))
    if parsed.charts is not None:
        return write_charts(document, parsed.charts)
    with or_elsewhere(parsed):
        write(document, path)
    return write(f"{path}\n", None)


def _follow(parsed: argparse.Namespace, meant: RunsMeant, path: Path) -> int:
    from orchestrator.report.html.followed_page import Pace
    from orchestrator.report.html.followed_runs import FollowedRuns

    if parsed.charts is not None:
        raise UsageError("expected --follow without --charts, which are of now; got both")
    pace = Pace(every_seconds(parsed))
    more = parsed.all or not parsed.runs
    with or_elsewhere(parsed):
        FollowedRuns(meant, path, pace, lambda words: say(f"{words}\n", sys.stderr), more).follow()
    return write(f"{path}\n", None)


def _page_of(meant: RunsMeant) -> Path:
    """Where the runs lie that are meant."""
    if meant.named:
        folders = list(dict.fromkeys(path.parent for path in meant.paths()))
        lie = folders[0] if len(folders) == 1 else Path(os.path.commonpath([*map(Path.resolve, folders)]))
    else:
        lie = meant.logs
    of = re.sub(r"[^A-Za-z0-9_.-]+", "-", meant.experiment or "").strip("-.")
    return lie / (f"runs-{of}.html" if of else "runs.html")
