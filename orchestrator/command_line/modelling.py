"""The commands that fit models to the results of a run, and what else does asks of these."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.command_line.asked_priors import priors_asked
from orchestrator.command_line.files import run_to_look_at, say, say_remarks, write_found, write_table
from orchestrator.errors import UsageError
from orchestrator.values.errors_taken import TOLD, are_scaled
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.report.following.run_so_far import RunSoFar
    from orchestrator.report.models.good_places import RunPlaces


def sensitivity(parsed: argparse.Namespace) -> int:
    """Which parameters matter, by a model of the results."""
    from orchestrator.report.models.sensitivity import run_sensitivity
    from orchestrator.report.tables.sensitivity import sensitivity_json, sensitivity_table, sensitivity_words

    run = run_with_values(parsed)
    ask_for_patience()
    told = run_sensitivity(run, parsed.of)
    return write_found(told, parsed, sensitivity_words, sensitivity_table, sensitivity_json)


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
    return write_found(told, parsed, tolerance_words, tolerance_table, tolerance_json)


def posterior(parsed: argparse.Namespace) -> int:
    """Which settings are plausible, by what the objective is fitted to."""
    from orchestrator.report.models.posterior import run_posterior
    from orchestrator.report.tables.posterior import (
        draws_table,
        posterior_json,
        posterior_table,
        posterior_words,
    )
    from orchestrator.sensitivity.calibration import DRAWS

    run = run_with_values(parsed)
    priors = priors_asked(parsed, run)
    ask_for_patience()
    draws = DRAWS if parsed.draws is None else parsed.draws
    told = run_posterior(run, draws, priors, scaled=are_scaled(parsed.errors))
    if parsed.draws is not None:
        return write_table(draws_table(told), parsed)
    return write_found(told, parsed, posterior_words, posterior_table, posterior_json)


def predict(parsed: argparse.Namespace) -> int:
    """What models of the results expect at settings, or at the points of a file."""
    from orchestrator.report.models.composed_results import is_of_outcomes
    from orchestrator.report.models.meant_points import trial_meant
    from orchestrator.report.models.predictions import points_read, points_typed, run_predictions
    from orchestrator.report.tables.predictions import predictions_json, predictions_table, predictions_words

    parsed.run, settings = run_and_settings(parsed)
    if settings and parsed.points is not None:
        raise UsageError(
            f"expected either settings or --points, got {settings[0]} as well as {parsed.points}"
        )
    if parsed.like is not None and parsed.points is not None:
        raise UsageError("expected --from beside settings, of --points each row says all of them, got both")
    run = run_with_limits(parsed)
    if parsed.points is None:
        like = None if parsed.like is None else trial_meant(run, parsed.like)
        asked = points_typed(run, settings, parsed.of, like)
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
    return write_found(told, parsed, predictions_words, predictions_table, predictions_json)


def run_and_settings(
    parsed: argparse.Namespace, is_point: Callable[[str], bool] = lambda text: "=" in text
) -> tuple[str | None, list[str]]:
    """A run that is named comes first; a folder may be called as settings are, or another point."""
    first, *others = parsed.targets or [""]
    if not first or (is_point(first) and not _is_kept(first, parsed.logs)):
        return None, parsed.targets
    return first, others


def _is_kept(named: str, logs: Path) -> bool:
    """Whether a run, or a search from Python, lies there."""
    from orchestrator.search_files.beginning import is_search_file

    # Settings of many parameters are longer than any name may be, of which a `Path` says so by an error.
    return is_search_file(Path(named)) or any(os.path.isdir(Path(at, named)) for at in ("", logs))


def run_with_values(parsed: argparse.Namespace) -> RunSoFar:
    """The run that a command is about. Raises UsageError for one whose trials are compared."""
    run = run_to_look_at(parsed)
    refuse_without_values(run)
    return run


def run_with_limits(parsed: argparse.Namespace) -> RunSoFar:
    """The same, where it is asked how likely limits are to hold: which of them nobody can judge is said."""
    from orchestrator.expressions.constraints import unsettled

    run = run_with_values(parsed)
    constraints = run.state.amended.constraints
    if left_out := unsettled(constraints.among(run.spec.constraints), constraints.known_levels):
        say_remarks(
            f"`{printable(text)}` is left out of this: what the reference has is not known"
            for text in left_out
        )
    return run


def refuse_without_values(run: RunSoFar) -> None:
    """Raises UsageError for a run whose trials are compared."""
    if run.state.policy.results.compared:
        raise UsageError(
            f"expected a run whose trials have values, got {run.folder.path}, where they are compared; which"
            " is preferred: orchestrator best"
        )


def places_found(run: RunSoFar, count: int) -> RunPlaces:
    """At most so many good places. Raises UsageError for a run whose trials are compared."""
    from orchestrator.report.models.good_places import run_places

    refuse_without_values(run)
    ask_for_patience()
    return run_places(run, count)


def scaled_by_a_fit(parsed: argparse.Namespace) -> bool:
    """Whether errors are. Raises UsageError where it is asked without --posterior."""
    if parsed.errors != TOLD and not parsed.posterior:
        raise UsageError("expected --errors beside --posterior, in which they count; got it alone")
    return are_scaled(parsed.errors)


def ask_for_patience() -> None:
    """Of whoever sits before a terminal."""
    if sys.stderr.isatty():
        say("fitting models to the results; in many parameters that may take a minute\n", sys.stderr)
