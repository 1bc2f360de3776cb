"""What tables have of the trade-offs of a run with several objectives: its front, and its status."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.report.seen.trade_offs import (
    best_first,
    newest,
    objectives_of,
    other_outcomes,
    ranges_of,
    ranges_words,
)
from orchestrator.report.seen.view import View
from orchestrator.report.tables.table import Table
from orchestrator.report.words.goals import goals_of, titled, units_of
from orchestrator.report.words.wording import counted, where_words, which_in_a_cell
from orchestrator.scheduler.corrections import as_corrected
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec
from orchestrator.system.shell_lines import shell_line


def trade_offs_table(spec: Spec, state: State, most_columns: int | None = None) -> Table:
    """A row a trade-off, the best in the first objective first: its trial, its objectives with their units,
    its other outcomes, and its parameters with theirs; of these as many as ``most_columns`` leaves room for.
    """
    front = as_corrected(state, best_first(state.policy, state.found.front))
    goals, outcomes = goals_of(spec), other_outcomes(spec)
    room = None if most_columns is None else max(0, most_columns - 1 - len(goals) - len(outcomes))
    parameters = list(spec.parameters)[:room]
    titles = [f"{name} ({unit})" if (unit := spec.parameters[name].unit) else name for name in parameters]
    rows = [[*_results(spec, trial), *(trial.parameters.get(name) for name in parameters)] for trial in front]
    units = units_of(spec)
    return Table(("trial", *(titled(name, units) for name in goals), *outcomes, *titles), rows)


def _results(spec: Spec, trial: Trial) -> list[object]:
    outcomes = [trial.extras.get(name) for name in other_outcomes(spec)]
    return [which_in_a_cell(trial.number), *objectives_of(spec, trial).values(), *outcomes]


def status_of_trade_offs(view: View) -> dict[str, object]:
    """For programs: how many there are, the least and the most of each objective, and all of them; of one
    objective, nothing.
    """
    if not view.goals:
        return {}
    return {
        "trade_offs": len(view.found.trade_offs),
        "ranges": {name: list(both) for name, both in ranges_of(view.found.trade_offs).items()}
        if view.found.trade_offs
        else {},
        "front": [one.record for one in view.found.trade_offs],
    }


def trade_off_lines(view: View, run: str) -> Sequence[tuple[str, str]]:
    """For people: lines of a status, each with what stands before it. There must be a trade-off."""
    count = len(view.found.trade_offs)
    last = where_words(newest(view.found.trade_offs).trial)
    return [
        ("front", f"{counted(count, 'trade-off')}: {ranges_words(view.found.trade_offs, view.units)}"),
        ("", f"{'it is' if count == 1 else 'the newest is'} {last}; shown by: {shell_line('best', run)}"),
    ]
