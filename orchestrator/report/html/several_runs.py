"""`orchestrator report RUN RUN`: several runs on one HTML page, side by side."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from orchestrator.objectives import SIGNS
from orchestrator.report.following.listed_run import ListedRun
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.frame import Live, framed
from orchestrator.report.html.overlaid_curves import ENOUGH, Alike, Line, overlaid_curves
from orchestrator.report.html.overlaid_fronts import Front, FrontsAlike, overlaid_fronts
from orchestrator.report.html.parts import Link, said, section, soft, table
from orchestrator.report.html.runs_alike import ReadRun, RunsAlike, alike, by_experiment
from orchestrator.report.html.trade_offs import dots_of
from orchestrator.report.seen.best_so_far import best_so_far, in_order
from orchestrator.report.words.goals import goals_of, sought_words, titled, units_of
from orchestrator.report.words.wording import counted, listed, number
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.spec.sections.parameters import FixedParameter
from orchestrator.version import __version__

COLUMNS: Final = 16
"""Parameters in a table of best points."""
FROM_PYTHON: Final = "searches from Python"
SAID_ONCE: Final = ("mode", "experiment", "why")
"""Of the list, what has no column where it is the same of all that tell it."""
UNITS: Final = (("seconds", 1.0), ("minutes", 60.0), ("hours", 3600.0), ("days", 86400.0))
SHOWN_IN: Final = 3.0
"""Units, at least, that the longest run took: of fewer the next shorter ones are shown."""


@dataclass(frozen=True, slots=True)
class Several:
    """Runs as a list has them, the newest first, each with all that its journal holds where that can be read;
    and where their page is to lie.
    """

    runs: Sequence[tuple[ListedRun, FollowedRun | None]]
    page: Path

    @property
    def read(self) -> list[ReadRun]:
        """Those that can be, and are whole."""
        return [ReadRun(told, run) for told, run in self.runs if run is not None and not told.amiss]

    def link(self, told: ListedRun, run: FollowedRun | None) -> Link | str:
        """To its own page, where one was written; else its name alone."""
        path = RunFolder(told.path).report if run is None else run.folder.report
        # Of one that may not be looked into there is none to be seen.
        if not os.path.isfile(path):
            return told.name
        return Link(told.name, os.path.relpath(path, self.page.parent))


def several_runs(several: Several, live: Live | None = None) -> str:
    """The document. There must be a run."""
    experiments = list(dict.fromkeys(told.experiment or FROM_PYTHON for told, _ in several.runs))
    title, below = counted(len(several.runs), "run"), listed(experiments)
    if len(experiments) == 1:
        title, below = below, title
    body = [
        f"<h1>{said(title)}</h1>",
        f'<div class="soft">{said(below)}</div>',
        "" if live is None else f'<div class="soft">{said(live.words)}</div>',
        _listed(several),
    ]
    for runs in by_experiment(several.read):
        body += _of_experiment(several, runs)
    body.append(f'<p class="soft">Written by orchestrator {__version__}.</p>')
    return framed(title, "".join(body), live, wide=True)


def _listed(several: Several) -> str:
    amiss = [soft(told.amiss) for told, _ in several.runs if told.amiss]
    rows = [told.in_a_line() for told, _ in several.runs]
    told_of = {name: {cells[name] for cells in rows} - {"", None} for name in rows[0]}
    common = [name for name in SAID_ONCE if len(told_of[name]) == 1]
    heads = [name for name, told in told_of.items() if told and name not in common]
    lines = [
        [several.link(*one), *(cells[name] for name in heads[1:])]
        for one, cells in zip(several.runs, rows, strict=True)
    ]
    shown = table(heads, lines, unbroken=True)
    of_all = [str(cell) for name in common for cell in told_of[name] if name != "experiment"]
    above = soft(f"Of all: {'; '.join(of_all)}.") if of_all and len(rows) > 1 else ""
    return section(_states(several), f"{above}{shown}{''.join(amiss)}")


def _states(several: Several) -> str:
    """``5 ended, 2 running``."""
    states = [told.state for told, _ in several.runs]
    return ", ".join(f"{states.count(state):,} {state}" for state in dict.fromkeys(states))


def _of_experiment(several: Several, runs: Sequence[ReadRun]) -> Iterator[str]:
    spec = runs[0].run.spec
    name = runs[0].listed.experiment or FROM_PYTHON
    groups = alike(runs)
    units = units_of(spec)
    drawn = [curves for goal in goals_of(spec) if (curves := _curves(groups, goal, titled(goal, units)))]
    if drawn:
        yield section(f"{name}: the best so far, to {sought_words(spec)}", "".join(drawn))
    yield _fronts(name, groups)
    yield _best_points(several, name, runs)


def _curves(groups: Sequence[RunsAlike], objective: str, title: str) -> str:
    """By trials and by time, of those that have a value."""
    spec = groups[0].runs[0].run.spec
    maximised = goals_of(spec)[objective] == "maximise"
    curves = [(group, [_curve(one, objective) for one in group.runs]) for group in groups]
    by_trials = [_alike(group, [one.by_trials for one in told]) for group, told in curves]
    shown = [one for one in by_trials if one.lines]
    if not shown:
        return ""
    longest = max(one.by_time.end for _, told in curves for one in told)
    unit, seconds = next((one for one in reversed(UNITS) if longest >= SHOWN_IN * one[1]), UNITS[0])
    by_time = [_alike(group, [one.by_time.per(seconds) for one in told]) for group, told in curves]
    charts = (
        overlaid_curves(shown, title, "trials", maximised=maximised, whole=True),
        overlaid_curves([one for one in by_time if one.lines], title, unit, maximised=maximised, whole=False),
    )
    legend = "A line a run: its best value so far"
    if any(len(one.lines) >= ENOUGH for one in shown):
        legend += (
            "; of runs that differ in their seeds alone the thick line is the median, in a band between the"
            " quartiles, as far as all of them have come"
        )
    without = [one.listed.name for group, told in curves for one in _without(group, told)]
    legend += f"; none has come of {listed(without)} yet" if without else ""
    return "".join(f"<figure>{chart}</figure>" for chart in charts) + soft(f"{legend}.")


def _fronts(name: str, groups: Sequence[RunsAlike]) -> str:
    """Of several objectives, what is traded off in each run that has a trade-off."""
    goals = goals_of(groups[0].runs[0].run.spec)
    if len(goals) < 2:
        return ""
    told = [
        FrontsAlike(group.name, [front for one in group.runs if (front := _front(one))]) for group in groups
    ]
    shown = [group for group in told if group.fronts]
    if not shown:
        return ""
    legend = "The trade-offs of each run, and the edge of what they attain"
    if len(goals) > 2:
        legend += " in the two objectives of a panel"
    return section(
        f"{name}: what is traded off",
        f"<figure>{overlaid_fronts(goals, shown)}</figure>{soft(f'{legend}.')}",
    )


def _front(one: ReadRun) -> Front | None:
    dots = [dot for dot in dots_of(one.run) if dot.kind == "trade-off"]
    return Front(one.listed.name, dots) if dots else None


@dataclass(frozen=True, slots=True)
class _Curve:
    by_trials: Line
    by_time: Line


def _curve(one: ReadRun, objective: str) -> _Curve:
    state, name = one.run.state, one.listed.name
    steps = best_so_far(one.run.spec, state, objective)
    settled = in_order(state)
    return _Curve(
        Line(name, [(step.place, step.value) for step in steps], settled[-1][0] if settled else 0),
        Line(name, [(step.at, step.value) for step in steps], max(one.listed.seconds or 0.0, state.at)),
    )


def _alike(group: RunsAlike, lines: Sequence[Line]) -> Alike:
    return Alike(group.name, [line for line in lines if line.steps])


def _without(group: RunsAlike, curves: Sequence[_Curve]) -> list[ReadRun]:
    return [run for run, curve in zip(group.runs, curves, strict=True) if not curve.by_trials.steps]


def _best_points(several: Several, name: str, runs: Sequence[ReadRun]) -> str:
    """What stands for a best point in each, and its settings, the best first."""
    found = [one for one in runs if one.listed.best_parameters is not None]
    if not found:
        return ""
    sign = SIGNS[runs[0].run.spec.objective.goal]
    found.sort(key=lambda one: -sign * (one.listed.best if one.listed.best is not None else 0.0))
    titles: dict[str, str] = {}
    for one in found:
        for parameter, told in one.run.spec.parameters.items():
            if not isinstance(told, FixedParameter):
                titles.setdefault(parameter, f"{parameter} ({told.unit})" if told.unit else parameter)
    shown = dict(list(titles.items())[:COLUMNS])
    rows = ([several.link(one.listed, one.run), *_cells(one, list(shown))] for one in found)
    more = len(titles) - len(shown)
    note = soft(f"{counted(more, 'more parameter')}: orchestrator best RUN") if more else ""
    inside = table(["run", "algorithm", "seed", "best", *shown.values()], rows, unbroken=True)
    return section(f"{name}: the best points", f"{inside}{note}")


def _cells(one: ReadRun, parameters: Sequence[str]) -> list[object]:
    told = one.listed
    settings = told.best_parameters or {}
    values = [number(settings[name], 6) if name in settings else None for name in parameters]
    return [told.algorithm, told.seed, told.best_words, *values]
