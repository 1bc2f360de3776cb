"""The best trial of a run and, in noise or where settings are off, the one believed best: as a table, in a
status.
"""

from __future__ import annotations

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.seen.believed import OBSERVED, Believed, believed
from orchestrator.report.seen.best_before import best_value_words
from orchestrator.report.seen.best_now import BestNow
from orchestrator.report.seen.found import BestNowPoint, BestPoint, PreferredPoint, ReferencePoint
from orchestrator.report.seen.view import View
from orchestrator.report.tables.table import Table
from orchestrator.report.words.wording import LEAST_DIGITS, first_of, number, where_words, which_in_a_cell
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.results.column_names import own_name


def best_table(run: RunSoFar) -> Table:
    """A row a thing to know of the best point: the objective, its trial, each parameter with its unit."""
    best, likely = run.state.found.best, believed(run.state)
    if best is None:
        return Table(("name", "value", "unit"), [])
    if likely is not None:
        return _two_best(run, best, likely)
    rows: list[list[object]] = [
        [run.spec.objective.name, _value(run.state, best), run.spec.objective.unit],
        ["trial", _which(run.state, best), None],
    ]
    rows += [[name, _outcome(best, name), None] for name in run.spec.outcomes]
    for name, parameter in run.spec.parameters.items():
        rows.append([name, best.parameters.get(name), parameter.unit])
    return Table(("name", "value", "unit"), rows)


def _two_best(run: RunSoFar, best: Trial, likely: Believed) -> Table:
    rows: list[list[object]] = [
        [run.spec.objective.name, _value(run.state, best), likely.words, run.spec.objective.unit],
        ["trial", _which(run.state, best), _which(run.state, likely.trial), None],
    ]
    for name in run.spec.outcomes:
        rows.append([name, _outcome(best, name), _outcome(likely.trial, name), None])
    for name, parameter in run.spec.parameters.items():
        pair = [trial.parameters.get(name) for trial in (best, likely.trial)]
        rows.append([name, *pair, parameter.unit])
    return Table(("name", OBSERVED, likely.title, "unit"), rows)


def _value(state: State, best: Trial) -> object:
    """Its value; in words where it takes more digits than a table has to tell it from the one before it."""
    words = best_value_words(state, best, LEAST_DIGITS)
    return best.value if words == number(best.value, LEAST_DIGITS) else words


def _outcome(trial: Trial, name: str) -> object:
    """A curve in words: of a list that is cut, nobody knows how long it is, nor where it ends."""
    told = trial.extras.get(name)
    return number(told) if isinstance(told, list | tuple) else told


def _which(state: State, told: Trial) -> int | str:
    return which_in_a_cell(trial_of(state, told).number)


def best_now_table(run: RunSoFar, now: BestNow) -> Table:
    """The same of the point believed best at this time, which need not be a trial; of what varies in use, of
    the design alone.
    """
    objective = run.spec.objective
    rows: list[list[object]] = [[objective.name, now.words, objective.unit]]
    told = [
        (name, p) for name, p in run.spec.parameters.items() if name not in run.state.policy.sought.in_use
    ]
    rows += [[name, now.settings.get(name), p.unit] for name, p in told]
    return Table(("name", now.title, "unit"), rows)


def best_now_row(run: RunSoFar, now: BestNow) -> Table:
    """The same as a row, for programs."""
    names = [name for name in run.spec.parameters if name not in run.state.policy.sought.in_use]
    own = [own_name(name, set(names)) for name in ("expected", "expected_deviation")]
    return Table((*names, *own), [[*map(now.settings.get, names), now.mean, now.deviation]])


def best_now_lines(now: BestNowPoint) -> list[tuple[str, str]]:
    """Lines of a status, as `best_lines`."""
    return [("best", f"{now.title.removeprefix('best ')}: {now.words}"), ("", _on_a_line(now.parameters))]


def preferred_lines(best: PreferredPoint) -> list[tuple[str, str]]:
    """Lines of a status, as `best_lines`."""
    return [("best", best.words), ("", _on_a_line(best.parameters))]


def best_lines(view: View, best: BestPoint) -> list[tuple[str, str]]:
    """Lines of a status, each with what stands before it."""
    likely = view.found.believed
    differ = likely is not None and likely.trial != best.trial
    words = f"{view.objective} = {view.best_value} ({where_words(best.trial)})"
    lines = [("best", f"{OBSERVED.removeprefix('best ')}: {words}" if differ else words)]
    lines.append(("", _on_a_line(best.parameters)))
    if best.outcomes:
        lines.append(("", ", ".join(f"{name} = {text}" for name, text in best.outcomes)))
    if likely is not None:
        where = where_words(likely.trial)
        lines.append(("likely", f"{likely.title}: {view.objective} = {likely.words}{view.unit} ({where})"))
        lines += [("", _on_a_line(likely.parameters))] if differ else []
    return lines


def reference_lines(view: View, reference: ReferencePoint) -> list[tuple[str, str]]:
    """Lines of a status, as `best_lines`."""
    known = reference.uncounted if reference.value is None else reference.value
    value = "no value" if known is None else f"{view.objective} = {number(known, 6)}{view.unit}"
    average = f", on average over {reference.times:,}" if reference.times > 1 else ""
    words = f"the reference: {value} ({where_words(reference.trial)}){average}"
    words += "" if reference.uncounted is None else ", which does not count any more"
    return [("against", words), ("", _on_a_line(reference.parameters))]


def _on_a_line(parameters: tuple[tuple[str, str], ...]) -> str:
    shown, more = first_of(parameters)
    return ", ".join([*(f"{name} = {text}" for name, text in shown), *([more] if more else [])])
