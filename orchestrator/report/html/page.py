"""`orchestrator report`: a run as one HTML page that needs nothing else, neither script nor network."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from orchestrator.objectives import SIGNS
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.charts import best_chart, weights_chart
from orchestrator.report.html.curves import curves_drawn
from orchestrator.report.html.parameters import objectives_drawn, values_drawn
from orchestrator.report.html.parts import pairs, said, section, soft, table
from orchestrator.report.html.pictures import best_picture
from orchestrator.report.html.sensitivity import shares_drawn
from orchestrator.report.html.trade_offs import trade_off_tiles, trade_offs_drawn, trade_offs_listed
from orchestrator.report.preferred import PREFERRED, preferred
from orchestrator.report.seen.believed import believed
from orchestrator.report.seen.best_now import BEST_NOW, best_now
from orchestrator.report.words.fidelity import Spending
from orchestrator.report.words.goals import titled, units_of
from orchestrator.report.words.no_best import better_dots
from orchestrator.report.words.spec import spec_words
from orchestrator.report.words.without_best import LEFT_OUT, WORDS, left_out, why_no_best
from orchestrator.report.words.wording import (
    counted,
    duration,
    first_line,
    number,
    parameter_words,
    printable,
    where_words,
)
from orchestrator.runtime.folder.begun_spec import read_spec
from orchestrator.scheduler.corrections import as_corrected, trial_of
from orchestrator.scheduler.events import Event, SuggestionsMade
from orchestrator.scheduler.state import Trial
from orchestrator.scheduler.transitions import TrialState
from orchestrator.spec.sections.parameters import FixedParameter
from orchestrator.version import __version__

if TYPE_CHECKING:
    from orchestrator.report.models.sensitivity import RunSensitivity

BEST_TRIALS: Final = 10
COLUMNS: Final = 7
"""Parameters in the table of trials."""
PARAMETERS: Final = 24
"""Of the best point; the others unfold."""
FAILURES: Final = 10
FACTORS: Final = 12

_STYLE: Final = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1f2933; background: #f5f6f8; margin: 0; }
main { max-width: 860px; margin: 0 auto; padding: 28px 20px 48px; }
h1 { font-size: 26px; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 17px; margin: 0 0 10px; }
.soft { color: #6b7683; } .bad { color: #d13438; }
section { background: #fff; border: 1px solid #e4e7eb; border-radius: 8px; padding: 18px 20px; }
section { margin-top: 16px; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(185px, 1fr)); gap: 2px 20px; }
dl { margin: 0 0 12px; }
dt { display: inline; color: #6b7683; } dd { display: inline; margin: 0 0 0 8px; font-weight: 600; }
dl div { overflow-wrap: anywhere; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px 36px; } .tiles div { min-width: 110px; }
.tiles b { display: block; font-size: 21px; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: #6b7683; overflow-wrap: anywhere; min-width: 4.6em; }
td, th { padding: 4px 14px 4px 0; vertical-align: top; } tr + tr td { border-top: 1px solid #eef0f3; }
td.v { white-space: nowrap; }
figure { margin: 0; text-align: center; } svg { max-width: 100%; height: auto; }
pre { overflow-x: auto; font-size: 13px; } summary { cursor: pointer; }
@media (max-width: 600px) { figure { overflow-x: auto; } svg[width="760"] { min-width: 600px; } }
@media print {
  body { background: none; font-size: 12px; } main { max-width: none; padding: 0; }
  section { border: none; padding: 0; } .scroll { overflow-x: visible; }
  h2 { break-after: avoid; } figure, tr, dl div { break-inside: avoid; }
  table { font-size: 10px; } td, th { padding-right: 8px; } pre { white-space: pre-wrap; }
  pre, td { overflow-wrap: break-word; } td.v { white-space: normal; }
}
"""


def page(
    run: FollowedRun, events: Sequence[Event], held: bool, sensitivity: Sequence[RunSensitivity] = ()
) -> str:
    """The document.

    Args:
        run: with every event taken in.
        events: the same events.
        held: whether an orchestrator works on it.
        sensitivity: what was found of the objectives' parameters, if that was asked for.
    """
    spec = run.spec
    body = "".join(
        [
            f"<h1>{said(spec.experiment)}</h1>",
            f'<div class="soft">{said(spec_words(spec))}</div>',
            _tiles(run, held),
            *_results(run, sensitivity),
            _belief(run, events),
            _failures(run),
            _spec(run),
            f'<p class="soft">Written by orchestrator {__version__} from {said(str(run.folder.path))}.</p>',
        ]
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{said(spec.experiment)}</title><style>{_STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _results(run: FollowedRun, told: Sequence[RunSensitivity]) -> Iterator[str]:
    if run.spec.further_objectives:
        yield from (trade_offs_drawn(run), trade_offs_listed(run), shares_drawn(told))
        yield objectives_drawn(run, told)
    else:
        yield from (_best_point(run), _curve(run), curves_drawn(run), shares_drawn(told))
        yield from (values_drawn(run, told), _best_trials(run))


def _tiles(run: FollowedRun, held: bool) -> str:
    view = run.view(held)
    best = "none yet" if view.best is None else view.best_value
    what = f"best {view.objective}"
    if view.best_now is not None:
        best, what = view.best_now.words, BEST_NOW
    if view.compared:
        best, what = "none yet" if view.preferred is None else view.preferred.words, PREFERRED
    several = bool(run.spec.further_objectives)
    tiles = [
        *(trade_off_tiles(run) if several else [(what, best)]),
        ("completed", f"{view.completed:,}"),
        *([("held", view.held_at)] if view.held_at else []),
        *(_of_spending(view.spending) if view.spending is not None else []),
        ("failed", f"{view.failed:,}"),
        *([("stopped early", f"{view.stopped:,}")] if view.stopped else []),
        *([("abandoned", f"{view.abandoned:,}")] if view.abandoned else []),
        ("time", duration(view.now)),
        ("state", view.in_a_word),
    ]
    shown = "".join(f"<div><span class='soft'>{said(k)}</span><b>{said(v)}</b></div>" for k, v in tiles)
    amended = [f"amended: {words}" for words in view.amended]
    below = "".join(f"<div class='soft'>{said(words)}</div>" for words in (view.activity, *amended))
    return f"<section><div class='tiles'>{shown}</div>{below}</section>"


def _of_spending(spending: Spending) -> list[tuple[str, str]]:
    return [("at full fidelity", f"{spending.full:,}"), ("cost", spending.words)]


def _best_point(run: FollowedRun) -> str:
    best = run.state.best
    if (now := best_now(run.state)) is not None:
        told = f"{run.spec.objective.name} = {now.words} {run.spec.objective.unit or ''}".rstrip()
        settings = pairs(list(parameter_words(run.spec, now.settings)))
        return section(f"The {BEST_NOW}", f"<p>{said(told)}</p>{settings}")
    if (told_best := preferred(run.state)) is not None:
        settings = pairs(list(parameter_words(run.spec, told_best.trial.parameters)))
        return section("The best trial", f"<p>{said(told_best.words.capitalize())}.</p>{settings}")
    if best is None:
        words = "No trial has a value, so there is none yet"
        if (why := why_no_best(run.state)) not in (None, "no value"):
            words = f"There is none: {WORDS[why]}"
        elif left_out(run.state):
            words = f"There is none, as of the values {LEFT_OUT}"
        return section("The best point", f"<p>{words}.</p>")
    parts = _parameters(run, best)
    also = [
        (name, number(value)) for name, value in best.extras.items() if isinstance(value, int | float | str)
    ]
    if also:
        parts.append(f"<p class='soft'>Also returned</p>{pairs([(k, first_line(v)) for k, v in also])}")
    drawn = best_picture(run)
    if drawn.svg is not None:
        parts.append(f"<figure>{drawn.svg}</figure>")
    elif drawn.there_are:
        parts.append(f"<p class='soft'>No picture: {said(drawn.why_not)}.</p>")
    likely = believed(run.state)
    if likely is not None:
        where = "this one" if likely.trial is best else where_words(trial_of(run.state, likely.trial).number)
        parts.append(f"<p>{likely.title.capitalize()}: {said(likely.words)}, {said(where)}.</p>")
        parts += _parameters(run, likely.trial) if likely.trial is not best else []
    return section(f"The best point: {where_words(trial_of(run.state, best).number)}", "".join(parts))


def _parameters(run: FollowedRun, trial: Trial) -> list[str]:
    words = list(parameter_words(run.spec, trial.parameters, 6))
    shown, hidden = words[:PARAMETERS], words[PARAMETERS:]
    if not hidden:
        return [pairs(shown)]
    more = counted(len(hidden), "more parameter")
    return [pairs(shown), f"<details><summary>{more}</summary>{pairs(hidden)}</details>"]


def _curve(run: FollowedRun) -> str:
    state = run.state
    tried = as_corrected(state, state.trials.values())
    trials = [trial for trial in tried if trial.settled and state.counts(trial)]
    # Those known from elsewhere are no trials: they have no place of their own, and no dot.
    known = (trial for trial in state.observed if trial.number < 1 and not trial.stands_for)
    trials += [trial for trial in known if state.counts(trial)]
    trials.sort(key=lambda trial: (trial.settled_at or trial.queued_at, trial.number))
    completed: list[tuple[int, float]] = []
    elsewhere: list[tuple[int, float]] = []
    curve: list[tuple[int, float]] = []
    failed: list[int] = []
    stopped: list[int] = []
    no_best: list[Trial] = []
    sign = SIGNS[run.spec.objective.goal]
    place = 0
    for trial in trials:
        place += trial.number > 0
        if trial.value is None:
            if trial.state is TrialState.FAILED and trial.number > 0:
                failed.append(place)
            elif trial.state is TrialState.STOPPED:
                stopped.append(place)
            continue
        if trial.number > 0:
            small = bool(state.policy.elsewhere(trial.parameters))
            (elsewhere if small else completed).append((place, trial.value))
        if not state.may_be_best(trial):
            no_best.append(trial)
            continue
        if not curve or sign * trial.value > sign * curve[-1][1]:
            curve.append((place, trial.value))
    if not (completed or elsewhere):
        return ""
    chart = best_chart(
        curve, completed, failed, stopped, titled(run.spec.objective.name, units_of(run.spec)), elsewhere
    )
    title, legend = "The best so far", "A dot a trial; the line is the best so far"
    if state.policy.clock is not None:
        # None of them is the best of now.
        title, legend = "What came of the trials", "A dot a trial"
    legend += better_dots(state.policy, no_best)
    legend += "; red crosses failed" if failed else ""
    legend += "; grey bars were stopped early" if stopped else ""
    return section(title, f"<figure>{chart}</figure><p class='soft'>{legend}.</p>")


def _best_trials(run: FollowedRun) -> str:
    sign = SIGNS[run.spec.objective.goal]
    state = run.state
    tried = as_corrected(state, state.trials.values())
    trials = [t for t in tried if state.counts(t) and state.may_be_best(t)]
    valued = [(trial.value, trial) for trial in trials if trial.value is not None]
    ranked = [trial for _, trial in sorted(valued, key=lambda pair: (-sign * pair[0], pair[1].number))]
    if not ranked:
        return ""
    told, outcomes = run.spec.parameters.items(), run.spec.outcomes
    names = [name for name, parameter in told if not isinstance(parameter, FixedParameter)]
    noisy = any(trial.variance is not None for trial in ranked[:BEST_TRIALS])
    head = [
        "trial",
        titled(run.spec.objective.name, units_of(run.spec)),
        *(["±"] if noisy else []),
        *outcomes,
        *names[:COLUMNS],
        "seconds",
    ]
    shown = [*outcomes, *names[:COLUMNS]]
    ranking = table(head, (_cells(trial, shown, noisy) for trial in ranked[:BEST_TRIALS]))
    left_out = len(names) - COLUMNS
    note = soft(f"{counted(left_out, 'more parameter')}: orchestrator export") if left_out > 0 else ""
    return section("The best trials", f"{ranking}{note}")


def _cells(trial: Trial, names: Sequence[str], noisy: bool) -> list[object]:
    deviation = "" if trial.variance is None else number(math.sqrt(trial.variance), 2)
    values = [trial.parameters.get(name, trial.extras.get(name)) for name in names]
    seconds = number(trial.elapsed, 3) if trial.elapsed else ""
    return [trial.number, number(trial.value, 8), *([deviation] if noisy else []), *values, seconds]


def _belief(run: FollowedRun, events: Sequence[Event]) -> str:
    parts: list[str] = []
    history = list(_weights(events))
    if history and len(history[-1][1]) > 1:
        parts.append(f"<figure>{weights_chart(history)}</figure>")
        parts.append(soft("How much each member of the ensemble was believed in."))
    view = run.view(held=False)
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
    # Not the file's, which somebody may have edited since.
    text = read_spec(run.folder).text
    # A spec of thousands of parameters says what it is in its first lines.
    lines = text.splitlines()
    shown = "\n".join(printable(line) for line in lines[:200])
    more = f"\n… {len(lines) - 200:,} more lines" if len(lines) > 200 else ""
    inside = f"<details><summary>as it was given</summary><pre>{escape(shown + more)}</pre></details>"
    return section("The spec", inside)
