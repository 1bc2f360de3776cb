"""`orchestrator report`: a run as one HTML page that needs nothing else, neither script nor network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.best_trials import best_trials
from orchestrator.report.html.chance_chart import chances_drawn
from orchestrator.report.html.charts import weights_chart
from orchestrator.report.html.curves import curves_drawn
from orchestrator.report.html.fitted_curves import fitted_curves
from orchestrator.report.html.frame import Live, framed
from orchestrator.report.html.good_places import places_listed
from orchestrator.report.html.heading import said_of
from orchestrator.report.html.overview import best_point, curve, tiles
from orchestrator.report.html.parameters import objectives_drawn, values_drawn
from orchestrator.report.html.parts import said, section, soft, table
from orchestrator.report.html.posterior import posterior_drawn
from orchestrator.report.html.schedule import schedule_drawn
from orchestrator.report.html.sensitivity import shares_drawn
from orchestrator.report.html.settings_for_each import settings_drawn
from orchestrator.report.html.trade_offs import trade_offs_drawn, trade_offs_listed
from orchestrator.report.html.value_map import maps_drawn
from orchestrator.report.words.wording import counted, first_line
from orchestrator.runtime.folder.begun_spec import read_spec
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.events import Event, SuggestionsMade
from orchestrator.scheduler.transitions import TrialState
from orchestrator.values.printable import printable
from orchestrator.version import __version__

if TYPE_CHECKING:
    from orchestrator.report.models.good_places import RunPlaces
    from orchestrator.report.models.posterior import RunPosterior
    from orchestrator.report.models.sensitivity import RunSensitivity
    from orchestrator.report.models.settings_for_each import ForEach

FAILURES: Final = 10
FACTORS: Final = 12


@dataclass(frozen=True, eq=False, slots=True)
class Beside:
    """What models say, as far as it was asked for: several good ``places``; the settings believed best
    ``for_each`` condition, where these are sought; which settings are plausible, by a ``posterior``.
    """

    places: RunPlaces | None = None
    for_each: ForEach | None = None
    posterior: RunPosterior | None = None


NOTHING: Final = Beside()


def page(
    run: FollowedRun,
    events: Sequence[Event],
    held: bool,
    sensitivity: Sequence[RunSensitivity] = (),
    live: Live | None = None,
    beside: Beside = NOTHING,
) -> str:
    """The document.

    Args:
        run: with every event taken in.
        events: the same events.
        held: whether an orchestrator works on it.
        sensitivity: what was found of the objectives' parameters, if that was asked for.
        live: when it is written, if it will be again.
        beside: what else models say, if it was asked for.
    """
    spec = run.spec
    body = "".join(
        [
            f"<h1>{said(spec.experiment)}</h1>",
            f'<div class="soft">{said(said_of(run))}</div>',
            "" if live is None else f'<div class="soft">{said(live.words)}</div>',
            tiles(run, held),
            *_results(run, sensitivity, beside),
            _belief(run, events),
            _failures(run),
            _spec(run),
            f'<p class="soft">Written by orchestrator {__version__} from {said(str(run.folder.path))}.</p>',
        ]
    )
    return framed(spec.experiment, body, live)


def _results(run: FollowedRun, told: Sequence[RunSensitivity], beside: Beside) -> Iterator[str]:
    if run.spec.further_objectives:
        yield from (trade_offs_drawn(run), trade_offs_listed(run), shares_drawn(told))
        yield maps_drawn(run, told)
        yield objectives_drawn(run, told)
    else:
        yield settings_drawn(run, beside.for_each) or best_point(run)
        yield schedule_drawn(run)
        yield from (fitted_curves(run), posterior_drawn(beside.posterior), curve(run), curves_drawn(run))
        yield from (chances_drawn(run, told), shares_drawn(told), maps_drawn(run, told))
        yield from (values_drawn(run, told), places_listed(run, beside.places), best_trials(run))


def _belief(run: FollowedRun, events: Sequence[Event]) -> str:
    parts: list[str] = []
    history = list(_weights(events))
    if history and len(history[-1][1]) > 1:
        parts.append(f"<figure>{weights_chart(history)}</figure>")
        parts.append(soft("How much each member of the ensemble was believed in."))
    view = run.view(attended=False)
    names = view.belief.parameters
    if view.belief.factors:
        factors = [" × ".join(names[i] for i in factor if i < len(names)) for factor in view.belief.factors]
        more = f", and {len(factors) - FACTORS:,} more" if len(factors) > FACTORS else ""
        words = f"A sum of {counted(len(factors), 'part')}: {'; '.join(factors[:FACTORS])}{more}."
        parts.append(f"<p>{said(words)}</p>")
    parts += [soft(note) for note in view.belief.notes]
    return section("What the optimiser believed", "".join(parts)) if parts else ""


def _weights(events: Sequence[Event]) -> Iterator[tuple[int, dict[str, float]]]:
    chosen = 0
    for event in events:
        if isinstance(event, SuggestionsMade):
            chosen += len(event.suggestions)
            weights = event.insight.get("weights") or {}
            if weights:
                yield chosen, {printable(str(name)): float(weight) for name, weight in weights.items()}


def _failures(run: FollowedRun) -> str:
    ever = [trial for trial in run.state.trials.values() if trial.state is TrialState.FAILED]
    failed = [trial for trial in ever if not trial.forgotten]
    if not failed:
        return ""
    rows = ([trial.number, first_line(trial.message)] for trial in failed[-FAILURES:])
    shown = f", the last {FAILURES} of them" if len(failed) > FAILURES else ""
    forgotten = len(ever) - len(failed)
    others = f", and {forgotten} that {'is' if forgotten == 1 else 'are'} forgotten" if forgotten else ""
    return section(f"Failed: {counted(len(failed), 'trial')}{shown}{others}", table(["trial", "why"], rows))


def _spec(run: FollowedRun) -> str:
    if isinstance(run.folder, RunFolder):
        # Not the file's, which somebody may have edited since.
        title, how, text = "The spec", "as it was given", read_spec(run.folder).text
    else:
        title, how, text = "The problem", "in the words of a spec", run.folder.text
    # A spec of thousands of parameters says what it is in its first lines.
    lines = text.splitlines()
    shown = "\n".join(printable(line) for line in lines[:200])
    more = f"\n… {len(lines) - 200:,} more lines" if len(lines) > 200 else ""
    inside = f"<details><summary>{how}</summary><pre>{escape(shown + more)}</pre></details>"
    return section(title, inside)
