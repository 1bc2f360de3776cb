"""The command that says by how much points of a run differ: which points are meant, and what is written."""

from __future__ import annotations

import argparse

from orchestrator.command_line.files import write_found
from orchestrator.command_line.modelling import ask_for_patience, run_and_settings, run_with_limits
from orchestrator.errors import UsageError


def compare(parsed: argparse.Namespace) -> int:
    """By how much points are believed to differ from one of them, and how likely they are better."""
    from orchestrator.report.models.differences import run_differences
    from orchestrator.report.models.meant_points import BEST, REFERENCE, meant
    from orchestrator.report.tables.differences import differences_json, differences_table, differences_words
    from orchestrator.scheduler.reference import reference_of

    parsed.run, typed = run_and_settings(parsed, _is_point)
    run = run_with_limits(parsed)
    if parsed.against is None and reference_of(run.state) is None:
        raise UsageError(
            "expected --against with the point to compare with: `best`, the number of a trial, or settings"
            " such as x=3,y=2; it may be left out where the spec names a reference, initial: {reference: …}"
        )
    against = meant(run, parsed.against or REFERENCE)
    points = [meant(run, text) for text in typed or [BEST]]
    ask_for_patience()
    told = run_differences(run, points, against, parsed.of)
    return write_found(told, parsed, differences_words, differences_table, differences_json)


def _is_point(text: str) -> bool:
    return text in ("best", "reference") or text.isdecimal() or "=" in text
