"""The commands that show a run, as it goes on or as it ended."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.command_line.files import (
    DONE,
    columns_for,
    folder_to_look_at,
    is_screen,
    kept_to_look_at,
    run_to_look_at,
    say,
    say_remarks,
    write,
    write_charts,
    write_one,
    write_table,
)
from orchestrator.command_line.following_page import elsewhere, follow_page
from orchestrator.command_line.several_runs import means_several, report_several
from orchestrator.errors import OrchestratorError, UsageError

if TYPE_CHECKING:
    from orchestrator.report.following.run_so_far import RunSoFar
    from orchestrator.report.models.good_places import RunPlaces
    from orchestrator.report.models.posterior import RunPosterior
    from orchestrator.report.models.sensitivity import RunSensitivity
    from orchestrator.report.models.settings_for_each import ForEach
    from orchestrator.report.tables.table import Table


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
    chosen = in_state(run.state, parsed.state)
    return write_table(trials_table(run, chosen[-parsed.last :] if parsed.last else chosen), parsed)


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

    if parsed.places is not None:
        return _good_places(parsed)
    run = run_to_look_at(parsed)
    if parsed.command:
        return _best_by_hand(run, parsed)
    if run.state.policy.for_each or parsed.at or parsed.values is not None:
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
            raise OrchestratorError(f"expected a run with {what}, got {where}: {told}")
        none = f": {LEFT_OUT}" if left_out(run.state) else ", which has none yet"
        raise OrchestratorError(f"expected a run with a value, got {where}{none}")
    if run.spec.further_objectives:
        people = parsed.format == "table"
        return write_table(trade_offs_table(run.spec, run.state) if people else front_rows(run), parsed)
    return _write_best(run, best_table(run) if parsed.format == "table" else best_row(run), parsed)


def _best_by_hand(run: RunSoFar, parsed: argparse.Namespace) -> int:
    from orchestrator.command_line.by_hand import best_by_hand
    from orchestrator.values.printable import printable

    said, line = best_by_hand(run)
    say(f"{said}\n", sys.stderr)
    return write(f"{printable(line)}\n", parsed.output)


def _places(run: RunSoFar, count: int) -> RunPlaces:
    from orchestrator.report.models.good_places import run_places

    _refuse_without_values(run)
    ask_for_patience()
    return run_places(run, count)


def _good_places(parsed: argparse.Namespace) -> int:
    from orchestrator.report.tables.good_places import places_table, places_words

    run = run_to_look_at(parsed)
    told = _places(run, parsed.places)
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
    from orchestrator.scheduler.reference import reference_of

    if reference_of(run.state) is None:
        return write_table(best, parsed) if parsed.format == "table" else write_one(best, parsed)
    from orchestrator.report.models.differences import best_against_reference
    from orchestrator.report.tables.differences import best_words, with_reference

    ask_for_patience()
    told = best_against_reference(run)
    if parsed.format != "table":
        return write_one(with_reference(best, told), parsed)
    if told is None:
        return write_table(best, parsed)
    return write(best.with_sentences(best_words(told), columns_for(parsed)), parsed.output)


def explain(parsed: argparse.Namespace) -> int:
    """Why a point was chosen, and what became of it."""
    from orchestrator.command_line.by_hand import line_by_hand
    from orchestrator.report.explained.case import case_of
    from orchestrator.report.explained.explain import words_of
    from orchestrator.report.explained.record import explained_json
    from orchestrator.report.following.run_so_far import RunSoFar
    from orchestrator.values.printable import printable

    run = RunSoFar.open(kept_to_look_at(parsed))
    case = case_of(run.spec, run.state.policy, run.reader, parsed.trial, type(run.scheduler))
    folder = run.folder.path / "trials" / f"{parsed.trial:04d}"
    files = str(folder) if folder.is_dir() and any(folder.iterdir()) else None
    if parsed.format == "json":
        return write(explained_json(case, files), parsed.output)
    printed = "" if files is None else f"\nWhat it printed and wrote: {printable(files)}\n"
    again = line_by_hand(run, case.trial)
    by_hand = f"\nEvaluated again by hand: {printable(again)}\n" if again else ""
    return write(words_of(case) + printed + by_hand, parsed.output)


def sensitivity(parsed: argparse.Namespace) -> int:
    """Which parameters matter, by a model of the results."""
    from orchestrator.report.models.sensitivity import run_sensitivity
    from orchestrator.report.tables.sensitivity import sensitivity_json, sensitivity_table, sensitivity_words

    run = run_with_values(parsed)
    ask_for_patience()
    told = run_sensitivity(run, parsed.of)
    if parsed.format == "json":
        return write(sensitivity_json(told), parsed.output)
    if parsed.format == "csv":
        return write_table(sensitivity_table(told), parsed)
    return write(sensitivity_words(told, columns_for(parsed)), parsed.output)


def tolerance(parsed: argparse.Namespace) -> int:
    """What becomes of the best points where settings are off by a little."""
    from orchestrator.report.models.tolerances import run_tolerances
    from orchestrator.report.tables.tolerances import tolerance_json, tolerance_table, tolerance_words

    run = run_with_values(parsed)
    widths = dict(parsed.off)
    if len(widths) < len(parsed.off):
        raise UsageError("expected --off once for each parameter, got one twice")
    ask_for_patience()
    told = run_tolerances(run, widths)
    if parsed.format == "json":
        return write(tolerance_json(told), parsed.output)
    if parsed.format == "csv":
        return write_table(tolerance_table(told), parsed)
    return write(tolerance_words(told, columns_for(parsed)), parsed.output)


def predict(parsed: argparse.Namespace) -> int:
    """What models of the results expect at settings, or at the points of a file."""
    from orchestrator.report.models.composed_results import is_of_outcomes
    from orchestrator.report.models.predictions import points_read, points_typed, run_predictions
    from orchestrator.report.tables.predictions import predictions_json, predictions_table, predictions_words

    parsed.run, settings = _run_and_settings(parsed)
    if settings and parsed.points is not None:
        raise UsageError(
            f"expected either settings or --points, got {settings[0]} as well as {parsed.points}"
        )
    run = run_with_values(parsed)
    if parsed.points is None:
        asked = points_typed(run, settings, parsed.of)
    else:
        asked = points_read(run, parsed.points, parsed.of)
    say_remarks(asked.remarks)
    ask_for_patience()
    if asked.varying and parsed.of in (None, run.spec.objective.name):
        from orchestrator.report.models.predictions_over_use import predictions_over_use

        told = predictions_over_use(run, asked)
    elif is_of_outcomes(run.spec, parsed.of):
        from orchestrator.report.models.composed_predictions import composed_predictions

        told = composed_predictions(run, asked)
    else:
        told = run_predictions(run, asked, parsed.of)
    if parsed.format == "json":
        return write(predictions_json(told), parsed.output)
    if parsed.format == "csv":
        return write_table(predictions_table(told), parsed)
    return write(predictions_words(told, columns_for(parsed)), parsed.output)


def run_with_values(parsed: argparse.Namespace) -> RunSoFar:
    """Raises UsageError for one whose trials are compared."""
    run = run_to_look_at(parsed)
    _refuse_without_values(run)
    return run


def _refuse_without_values(run: RunSoFar) -> None:
    if run.state.policy.compared:
        raise UsageError(
            f"expected a run whose trials have values, got {run.folder.path}, where they are compared; which"
            " is preferred: orchestrator best"
        )


def _run_and_settings(parsed: argparse.Namespace) -> tuple[str | None, list[str]]:
    """A run that is named comes first; a folder may have an equals sign in its name."""
    first, *others = parsed.targets or [""]
    if not first or ("=" in first and not is_kept(first, parsed.logs)):
        return None, parsed.targets
    return first, others


def is_kept(named: str, logs: Path) -> bool:
    """Whether a run, or a search from Python, lies there."""
    from orchestrator.search_files.beginning import is_search_file

    return is_search_file(Path(named)) or any(Path(at, named).is_dir() for at in ("", logs))


def export(parsed: argparse.Namespace) -> int:
    """Every trial, with all that is known of it."""
    from orchestrator.report.tables.trials import trials_table

    return write_table(trials_table(run_to_look_at(parsed)), parsed)


def report(parsed: argparse.Namespace) -> int:
    """A run, or several, as one HTML page, or its charts alone, or the picture of its best trial, or of
    another.
    """
    if parsed.every is not None and not parsed.follow:
        raise UsageError("expected --every beside --follow, of which it says how often; got it alone")
    if parsed.prior and not parsed.posterior:
        raise UsageError("expected --prior beside --posterior, in which it counts; got it alone")
    if means_several(parsed):
        return report_several(parsed)
    parsed.run = next(iter(parsed.runs), None)
    if parsed.follow:
        return follow_page(parsed)
    from orchestrator.report.following.runs import FollowedRun
    from orchestrator.report.html.page import Beside, page

    run = FollowedRun.open(kept_to_look_at(parsed))
    events = run.catch_up()
    if parsed.picture is not None:
        return write(_picture(run, parsed.trial), parsed.picture)
    if parsed.trial is not None:
        raise UsageError("expected --trial beside --picture, for which it says what to draw; got it alone")
    analysed = _analysed(run) if parsed.sensitivity else ()
    beside = Beside(
        None if parsed.places is None else _places(run, parsed.places),
        _drawn_for_each(run),
        _posterior(run, priors_asked(parsed)) if parsed.posterior else None,
    )
    document = page(run, events, run.folder.holder() is not None, analysed, beside=beside)
    if parsed.charts is not None:
        return write_charts(document, parsed.charts)
    path = parsed.output or run.folder.report
    try:
        write(document, path)
    except OrchestratorError as error:
        raise OrchestratorError(f"{error}{elsewhere(parsed)}") from None
    return write(f"{path}\n", None)


def _drawn_for_each(run: RunSoFar) -> ForEach | None:
    """The best settings against the condition, where each has its own and enough is known."""
    from orchestrator.report.models.settings_for_each import DRAWN_OF_EACH, may_be_asked, settings_for_each

    if not may_be_asked(run):
        return None
    ask_for_patience()
    return settings_for_each(run, of_each=DRAWN_OF_EACH)


def _analysed(run: RunSoFar) -> list[RunSensitivity]:
    from orchestrator.report.models.sensitivity import objectives_analysed

    _refuse_without_values(run)
    ask_for_patience()
    return objectives_analysed(run)


def _posterior(run: RunSoFar, priors: Mapping[str, object]) -> RunPosterior:
    from orchestrator.report.models.posterior import run_posterior

    _refuse_without_values(run)
    ask_for_patience()
    return run_posterior(run, priors=priors)


def priors_asked(parsed: argparse.Namespace) -> Mapping[str, object]:
    """What is known beforehand, as it was typed. Raises UsageError for what is said twice."""
    if len(priors := dict(parsed.prior)) < len(parsed.prior):
        raise UsageError("expected --prior once for each parameter, got one twice")
    return priors


def ask_for_patience() -> None:
    """Of whoever sits before a terminal."""
    if sys.stderr.isatty():
        say("fitting models to the results; in many parameters that may take a minute\n", sys.stderr)


def _picture(run: RunSoFar, wanted: int | None) -> str:
    from orchestrator.report.html.pictures import best_picture, trial_picture

    if wanted is None:
        drawn, whose = best_picture(run), "the best trial"
    elif (trial := run.state.trials.get(wanted)) is not None:
        drawn, whose = trial_picture(run, trial), f"trial {wanted}"
    else:
        raise UsageError(f"expected --trial with the number of a trial of this run, got {wanted}")
    if drawn.svg is None:
        raise OrchestratorError(f"expected a picture of {whose}, got none: {drawn.why_not}")
    return drawn.svg
