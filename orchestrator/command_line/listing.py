"""`orchestrator runs`: all the runs that lie there, a line each."""

from __future__ import annotations

import argparse

from orchestrator.command_line.files import columns_for, write, write_table


def runs(parsed: argparse.Namespace) -> int:
    """The runs in a folder, or those named, the newest first. Raises UsageError where there is none."""
    from orchestrator.report.following.listing import listed_runs
    from orchestrator.report.tables.runs import runs_table, runs_words

    found = listed_runs(parsed.where, parsed.logs, parsed.experiment)
    if parsed.format == "table":
        return write(runs_words(found, columns_for(parsed)), parsed.output)
    return write_table(runs_table(found), parsed)
