"""`orchestrator report`: a run as a page, as its charts, or as the picture of a trial."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from orchestrator.command_line.asked_priors import priors_asked
from orchestrator.command_line.files import kept_to_look_at, write, write_charts
from orchestrator.command_line.following_page import follow_page, or_elsewhere
from orchestrator.command_line.modelling import (
    ask_for_patience,
    places_found,
    refuse_without_values,
    scaled_by_a_fit,
)
from orchestrator.command_line.several_runs import means_several, report_several
from orchestrator.errors import OrchestratorError, UsageError

if TYPE_CHECKING:
    from orchestrator.report.following.run_so_far import RunSoFar
    from orchestrator.report.models.posterior import RunPosterior
    from orchestrator.report.models.sensitivity import RunSensitivity
    from orchestrator.report.models.settings_for_each import ForEach


def report(parsed: argparse.Namespace) -> int:
    """A run, or several, as one HTML page, or its charts alone, or the picture of its best trial, or of
    another.
    """
    if parsed.every is not None and not parsed.follow:
        raise UsageError("expected --every beside --follow, of which it says how often; got it alone")
    if parsed.prior and not parsed.posterior:
        raise UsageError("expected --prior beside --posterior, in which it counts; got it alone")
    scaled = scaled_by_a_fit(parsed)
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
        None if parsed.places is None else places_found(run, parsed.places),
        _drawn_for_each(run),
        _posterior(run, priors_asked(parsed, run), scaled) if parsed.posterior else None,
    )
    document = page(run, events, run.folder.holder() is not None, analysed, beside=beside)
    if parsed.charts is not None:
        return write_charts(document, parsed.charts)
    path = parsed.output or run.folder.report
    with or_elsewhere(parsed):
        write(document, path)
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

    refuse_without_values(run)
    ask_for_patience()
    return objectives_analysed(run)


def _posterior(run: RunSoFar, priors: Mapping[str, object], scaled: bool) -> RunPosterior:
    from orchestrator.report.models.posterior import run_posterior

    refuse_without_values(run)
    ask_for_patience()
    return run_posterior(run, priors=priors, scaled=scaled)


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
