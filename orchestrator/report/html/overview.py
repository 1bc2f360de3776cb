"""What comes first of a run: how it stands, its best point, and how it came to that."""

from __future__ import annotations

from typing import Final

from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.charts import best_chart
from orchestrator.report.html.parts import pairs, said, section
from orchestrator.report.html.pictures import best_picture
from orchestrator.report.html.trade_offs import trade_off_tiles
from orchestrator.report.preferred import PREFERRED, preferred
from orchestrator.report.seen.believed import believed
from orchestrator.report.seen.best_now import best_now
from orchestrator.report.seen.best_so_far import best_so_far, in_order
from orchestrator.report.seen.crossing import crossing_of
from orchestrator.report.words.fidelity import Spending
from orchestrator.report.words.goals import threshold_words, titled, units_of
from orchestrator.report.words.no_best import better_dots
from orchestrator.report.words.without_best import (
    LEFT_OUT,
    NOT_SAID_ABOVE,
    left_out,
    why_no_best,
    words_and_what_to_do,
)
from orchestrator.report.words.wording import (
    counted,
    duration,
    first_line,
    number,
    parameter_words,
    where_words,
)
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.reference_value import value_of_reference
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.values.over import EACH
from orchestrator.values.percent import fine_percentage

PARAMETERS: Final = 24
"""Of the best point; the others unfold."""


def tiles(run: FollowedRun, held: bool) -> str:
    """How it stands, in a few numbers, and what goes on."""
    view = run.view(held)
    found, trials = view.found, view.trials
    best = "none yet" if found.best is None else view.best_value
    what = f"best {view.objective}"
    if found.best_now is not None:
        best, what = found.best_now.words, found.best_now.title
    if found.crossing is not None:
        best, what = fine_percentage(found.crossing.above), f"of the domain above {found.crossing.threshold}"
    elif run.spec.objective.threshold is not None:
        best, what = "not known yet", f"of the domain above {threshold_words(run.spec)}"
    if run.spec.objective.over == EACH and trials.completed:
        best = "one for each condition"
    if view.compared:
        best, what = "none yet" if found.preferred is None else found.preferred.words, PREFERRED
    several = bool(run.spec.further_objectives)
    told = [
        *(trade_off_tiles(run) if several else [(what, best)]),
        ("completed", f"{trials.completed:,}"),
        *([("held", view.held_at)] if view.held_at else []),
        *(_of_spending(view.spending) if view.spending is not None else []),
        ("failed", f"{trials.failed:,}"),
        *([("stopped early", f"{trials.stopped:,}")] if trials.stopped else []),
        *([("abandoned", f"{trials.abandoned:,}")] if trials.abandoned else []),
        ("time", duration(view.now)),
        ("state", view.in_a_word),
    ]
    shown = "".join(f"<div><span class='soft'>{said(k)}</span><b>{said(v)}</b></div>" for k, v in told)
    amended = [f"amended: {words}" for words in view.amended]
    limits = [view.limits] if view.limits else []
    jobs = [view.crew.jobs] if view.crew.jobs else []
    changes = [view.changes] if view.changes else []
    told_below = (view.activity, *jobs, *limits, *changes, *amended)
    below = "".join(f"<div class='soft'>{said(words)}</div>" for words in told_below)
    return f"<section><div class='tiles'>{shown}</div>{below}</section>"


def _of_spending(spending: Spending) -> list[tuple[str, str]]:
    return [("at full fidelity", f"{spending.full:,}"), ("cost", spending.words)]


def best_point(run: FollowedRun) -> str:
    """The best point, with what else came of it and its picture; or why there is none."""
    best = run.state.found.best
    if (now := best_now(run.state)) is not None:
        told = f"{run.spec.objective.name} = {now.words} {run.spec.objective.unit or ''}".rstrip()
        settings = pairs(list(parameter_words(run.spec, now.settings)))
        return section(f"The {now.title}", f"<p>{said(told)}</p>{settings}")
    if (crossing := crossing_of(run.spec, run.state)) is not None:
        return section("Above the threshold", f"<p>{said(crossing.words)}: {said(crossing.believed)}.</p>")
    if (told_best := preferred(run.state)) is not None:
        settings = pairs(list(parameter_words(run.spec, told_best.trial.parameters)))
        return section("The best trial", f"<p>{said(told_best.words.capitalize())}.</p>{settings}")
    if best is None:
        words = "No trial has a value, so there is none yet"
        if (why := why_no_best(run.state)) == "none is sought":
            return section("Above the threshold", f"<p>{said(NOT_SAID_ABOVE.capitalize())}.</p>")
        if why is not None and why != "no value":
            # A page is read elsewhere, where no command can be given.
            words = f"There is none: {words_and_what_to_do(why, run.folder.path, held=True)}"
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


def curve(run: FollowedRun) -> str:
    """Every trial, and the best so far."""
    state = run.state
    completed: list[tuple[int, float]] = []
    elsewhere: list[tuple[int, float]] = []
    failed: list[int] = []
    stopped: list[int] = []
    no_best: list[Trial] = []
    for place, trial in in_order(state):
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
    if not (completed or elsewhere):
        return ""
    reference, threshold = value_of_reference(state), state.policy.sought.threshold
    chart = best_chart(
        [(step.place, step.value) for step in best_so_far(run.spec, state, run.spec.objective.name)],
        completed,
        failed,
        stopped,
        titled(run.spec.objective.name, units_of(run.spec)),
        elsewhere,
        reference if threshold is None else threshold,
    )
    title, legend = "The best so far", "A dot a trial; the line is the best so far"
    if state.policy.no_trial_is_best:
        title, legend = "What came of the trials", "A dot a trial"
    legend += (
        "" if reference is None else f"; dashed: what was measured of the reference, {number(reference)}"
    )
    legend += "" if threshold is None else f"; dashed: the threshold, {number(threshold)}"
    legend += better_dots(state.policy, no_best)
    legend += "; red crosses failed" if failed else ""
    legend += "; grey bars were stopped early" if stopped else ""
    return section(title, f"<figure>{chart}</figure><p class='soft'>{legend}.</p>")
