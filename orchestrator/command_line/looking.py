"""The commands that show a run, as it goes on or as it ended."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from orchestrator.command_line.files import (
    DONE,
    columns_for,
    folder_to_look_at,
    is_screen,
    kept_to_look_at,
    run_to_look_at,
    write,
    write_one,
    write_table,
)

if TYPE_CHECKING:
    from orchestrator.report.following.run_so_far import RunSoFar


def status(parsed: argparse.Namespace) -> int:
    """How a run stands, and why nothing moves if so."""
    from orchestrator.report.following.last_standing import standing_now, why_cut_short
    from orchestrator.report.tables.status import status_table, status_words
    from orchestrator.report.words.left_requests import left_requests
    from orchestrator.runtime.folder.run_folder import RunFolder

    kept = kept_to_look_at(parsed)
    holder = kept.holder()
    standing = standing_now(kept, holder)
    left: tuple[str, ...] = ()
    cut_short = ""
    if isinstance(kept, RunFolder):
        left = left_requests(kept)
        cut_short = why_cut_short(kept, standing) if holder is None else ""
    if parsed.format == "table":
        return write(status_words(standing, holder, left, cut_short), parsed.output)
    return write_one(status_table(standing, holder, left, cut_short), parsed)


def watch(parsed: argparse.Namespace) -> int:
    """A run as it goes on or as it ended: on screen, in lines, or as a picture."""
    from orchestrator.report.watch import picture, watch_in_lines, watch_on_screen

    folder = folder_to_look_at(parsed)
    if parsed.svg is not None:
        return write(picture(folder), parsed.svg)
    if parsed.json or not is_screen(sys.stdout):
        watch_in_lines(folder, sys.stdout, as_json=parsed.json)
    else:
        from rich.console import Console

        watch_on_screen(folder, Console())
    return DONE


def trials(parsed: argparse.Namespace) -> int:
    """The trials of a run, or some of them."""
    from orchestrator.report.tables.trials import in_state, trials_table

    run = run_to_look_at(parsed)
    attended = _attended(run)
    chosen = in_state(run, parsed.state, attended)
    shown = chosen[-parsed.last :] if parsed.last else chosen
    return write_table(trials_table(run, shown, attended), parsed)


def explain(parsed: argparse.Namespace) -> int:
    """Why a point was chosen, and what became of it."""
    from dataclasses import replace

    from orchestrator.command_line.by_hand import line_by_hand
    from orchestrator.report.explained.case import case_of
    from orchestrator.report.explained.explain import words_of
    from orchestrator.report.explained.record import explained_json
    from orchestrator.report.following.run_so_far import RunSoFar, run_so_far
    from orchestrator.values.printable import printable

    looked_at = kept_to_look_at(parsed)
    number = parsed.trial
    if isinstance(number, str):
        from orchestrator.report.models.meant_points import trial_meant

        number = trial_meant(run_so_far(looked_at), number).number
    run = RunSoFar.open(looked_at)
    case = case_of(run.spec, run.state.policy, run.reader, number, run.scheduler)
    case = replace(case, attended=run.folder.holder() is not None)
    kept = run.state.keeps_files_under(case.trial)
    folder = run.folder.path / "trials" / f"{kept:04d}"
    there = kept > 0 and folder.is_dir() and any(folder.iterdir())
    files = str(folder) if there else None
    if parsed.format == "json":
        return write(explained_json(case, files), parsed.output)
    printed = "" if files is None else f"\nWhat it printed and wrote: {printable(files)}\n"
    again = line_by_hand(run, case.trial, case.before)
    by_hand = f"\nEvaluated again by hand: {printable(again)}\n" if again else ""
    return write(words_of(case, columns_for(parsed)) + printed + by_hand, parsed.output)


def export(parsed: argparse.Namespace) -> int:
    """Every trial, with all that is known of it."""
    from orchestrator.report.tables.trials import trials_table

    run = run_to_look_at(parsed)
    attended = _attended(run)
    return write_table(trials_table(run, attended=attended), parsed)


def _attended(run: RunSoFar) -> bool:
    """Whether somebody works on a run; if nobody does, it has all that came until they left."""
    attended = run.folder.holder() is not None
    if not attended:
        run.catch_up()
    return attended
