"""`orchestrator runs`: all the runs that lie there, a line each."""

from __future__ import annotations

import argparse
import sys

from orchestrator.command_line.files import DONE, columns_for, is_screen, write, write_table
from orchestrator.errors import UsageError


def runs(parsed: argparse.Namespace) -> int:
    """The runs in a folder, or those named, the newest first. Raises UsageError where there is none."""
    from orchestrator.report.following.listing import listed_runs
    from orchestrator.report.tables.runs import runs_table, runs_words

    if parsed.watch:
        return _watch(parsed)
    found = listed_runs(parsed.where, parsed.logs, parsed.experiment)
    if parsed.format == "table":
        return write(runs_words(found, columns_for(parsed)), parsed.output)
    return write_table(runs_table(found), parsed)


def _watch(parsed: argparse.Namespace) -> int:
    once = "leave --watch out for what holds now"
    if parsed.format != "table" or parsed.output is not None:
        raise UsageError(f"expected --watch without --format and --output, got one of them: {once}")
    if not is_screen(sys.stdout):
        raise UsageError(f"expected --watch on a terminal, got none: {once}")
    from rich.console import Console

    from orchestrator.report.following.listing import RunsMeant
    from orchestrator.report.watch_runs import watch_runs

    watch_runs(RunsMeant(parsed.where, parsed.logs, parsed.experiment), Console())
    return DONE
