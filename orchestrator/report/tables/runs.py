"""Several runs as a table: for programs with all that is known of each, for people a line each."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.report.following.listed_run import ListedRun
from orchestrator.report.tables.table import Table
from orchestrator.values.printable import printable

FOREIGN = ("experiment", "name", "path", "why", "best_words")
"""What others wrote, who may have had a spreadsheet in mind."""


def runs_table(runs: Sequence[ListedRun]) -> Table:
    """All of each, for programs. There must be one."""
    rows = [run.row() for run in runs]
    return Table(tuple(rows[0]), [list(row.values()) for row in rows], foreign=FOREIGN)


def runs_words(runs: Sequence[ListedRun], width: int | None) -> str:
    """For people, on a terminal of so many columns, or of any; what is wrong with some stands below. There
    must be one.
    """
    rows = [run.in_a_line() for run in runs]
    # A column in which nothing stands has nothing to say.
    heads = [name for name in rows[0] if any(row[name] not in ("", None) for row in rows)]
    table = Table(tuple(heads), [[row[name] for name in heads] for row in rows])
    amiss = [printable(run.amiss.rstrip(".")) for run in runs if run.amiss]
    return table.with_sentences(amiss, width) if amiss else table.written("table", width)
