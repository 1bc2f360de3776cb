"""`orchestrator best`: the best point of a run, its trade-offs, or the best settings for each condition."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from orchestrator.command_line.files import columns_for, run_to_look_at, say, write, write_one, write_table
from orchestrator.command_line.modelling import ask_for_patience, places_found
from orchestrator.errors import OrchestratorError, UsageError

if TYPE_CHECKING:
    from orchestrator.report.following.run_so_far import RunSoFar
    from orchestrator.report.tables.table import Table


def best(parsed: argparse.Namespace) -> int:
    """The best point of a run, or its trade-offs. Raises OrchestratorError where no trial has a value."""
    from orchestrator.report.preferred import preferred
    from orchestrator.report.seen.best_now import best_now
    from orchestrator.report.tables.best import best_now_row, best_now_table, best_table
    from orchestrator.report.tables.preferred import preferred_row, preferred_table
    from orchestrator.report.tables.trade_offs import trade_offs_table
    from orchestrator.report.tables.trials import best_row, front_rows
    from orchestrator.report.words.without_best import LEFT_OUT, left_out, why_no_best, words_and_what_to_do
    from orchestrator.runtime.evaluations.awaited_trials import AwaitedComparisons
    from orchestrator.runtime.folder.run_folder import RunFolder
    from orchestrator.system.shell_lines import shell_line

    if parsed.places is not None:
        return _good_places(parsed)
    run = run_to_look_at(parsed)
    if parsed.command:
        return _best_by_hand(run, parsed)
    if run.state.policy.sought.for_each or parsed.at or parsed.values is not None:
        return _for_each(run, parsed)
    if (now := best_now(run.state)) is not None:
        people = parsed.format == "table"
        return _write_best(run, best_now_table(run, now) if people else best_now_row(run, now), parsed)
    if parsed.format == "table" and isinstance(run.folder, RunFolder):
        for sentence in AwaitedComparisons(run.folder.path).sentences(run.state):
            say(f"{sentence}\n", sys.stderr)
    if (told_best := preferred(run.state)) is not None:
        if parsed.format == "table":
            return write_table(preferred_table(run, told_best), parsed)
        return write_one(preferred_row(run, told_best), parsed)
    if why := why_no_best(run.state):
        where = run.folder.path
        if why != "no value":
            what = "trade-offs" if run.spec.further_objectives else "a best point"
            told = words_and_what_to_do(why, where, held=run.folder.holder() is not None)
            if why == "none in full":
                told += f"; how those stand that looked less closely: {shell_line('trials', where)}"
            raise OrchestratorError(f"expected a run with {what}, got {where}: {told}")
        none = f": {LEFT_OUT}" if left_out(run.state) else f", which has none yet{_failed(run)}"
        raise OrchestratorError(f"expected a run with a value, got {where}{none}")
    if run.spec.further_objectives:
        people = parsed.format == "table"
        return write_table(trade_offs_table(run.spec, run.state) if people else front_rows(run), parsed)
    return _write_best(run, best_table(run) if parsed.format == "table" else best_row(run), parsed)


def _failed(run: RunSoFar) -> str:
    """Where trials have failed and none has a value, that, and which command says why."""
    from orchestrator.report.words.wording import counted
    from orchestrator.system.shell_lines import shell_line

    if run.state.tally.completed or not run.state.tally.failed:
        return ""
    return (
        f": {counted(run.state.tally.failed, 'trial')} failed; why: {shell_line('trials', run.folder.path)}"
    )


def _best_by_hand(run: RunSoFar, parsed: argparse.Namespace) -> int:
    from orchestrator.command_line.by_hand import best_by_hand
    from orchestrator.values.printable import printable

    said, line = best_by_hand(run)
    say(f"{said}\n", sys.stderr)
    return write(f"{printable(line)}\n", parsed.output)


def _good_places(parsed: argparse.Namespace) -> int:
    from orchestrator.report.tables.good_places import places_table, places_words

    run = run_to_look_at(parsed)
    told = places_found(run, parsed.places)
    if parsed.format != "table":
        return write_table(places_table(run, told), parsed)
    return write(places_words(run, told, columns_for(parsed)), parsed.output)


def _for_each(run: RunSoFar, parsed: argparse.Namespace) -> int:
    from orchestrator.report.models.settings_for_each import settings_for_each
    from orchestrator.report.tables.settings_for_each import for_each_table, for_each_words

    if parsed.at and parsed.values is not None:
        raise UsageError("expected either --at or --values, got both")
    ask_for_patience()
    told = settings_for_each(run, parsed.at, parsed.values)
    if parsed.format != "table":
        return write_table(for_each_table(told), parsed)
    return write(for_each_words(run, told, columns_for(parsed)), parsed.output)


def _write_best(run: RunSoFar, best: Table, parsed: argparse.Namespace) -> int:
    """And how it differs from the reference, where the spec names one."""
    from orchestrator.report.seen.schedule_in_words import schedule_of_best
    from orchestrator.scheduler.reference import reference_of

    words, told = schedule_of_best(run.state, run.spec.accumulates), None
    if reference_of(run.state) is not None:
        from orchestrator.report.models.differences import best_against_reference
        from orchestrator.report.tables.differences import best_words, with_reference

        ask_for_patience()
        told = best_against_reference(run)
        if parsed.format != "table":
            return write_one(with_reference(best, told), parsed)
        words += best_words(told) if told is not None else []
    if parsed.format != "table":
        return write_one(best, parsed)
    if not words:
        return write_table(best, parsed)
    return write(best.with_sentences(words, columns_for(parsed)), parsed.output)
