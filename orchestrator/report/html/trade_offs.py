"""What a run's page shows of several objectives: them against each other, and the table of the front."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.html.front_chart import front_chart
from orchestrator.report.html.front_panel import Dot, Kind
from orchestrator.report.html.parts import section, soft, table
from orchestrator.report.seen.trade_offs import objectives_of, range_words, ranges_of, trade_offs_of
from orchestrator.report.tables.table import Table
from orchestrator.report.tables.trade_offs import trade_offs_table
from orchestrator.report.words.fidelity import is_full
from orchestrator.report.words.goals import goals_of, titled, units_of
from orchestrator.report.words.without_best import WORDS, is_in_doubt, why_no_best
from orchestrator.report.words.wording import column_digits, counted, number, where_words
from orchestrator.scheduler.corrections import as_corrected
from orchestrator.scheduler.rules.places import place_words
from orchestrator.scheduler.transitions import TrialState

ROWS: Final = 50
COLUMNS: Final = 10


def trade_off_tiles(run: RunSoFar) -> list[tuple[str, str]]:
    """How many there are, and the range of each objective along the front."""
    trade_offs = trade_offs_of(run.spec, run.state.policy, run.state.found.front)
    tiles = [("trade-offs", f"{len(trade_offs):,}")]
    if trade_offs:
        tiles += [
            (titled(name, units_of(run.spec)), range_words(*both))
            for name, both in ranges_of(trade_offs).items()
        ]
    return tiles


def trade_offs_drawn(run: RunSoFar) -> str:
    """Every trial that has a value, in the plane of each two objectives."""
    why = why_no_best(run.state)
    if why is not None:
        return section("Trade-offs", soft(f"There are none: {WORDS[why]}."))
    dots = list(dots_of(run))
    chart = front_chart(goals_of(run.spec), dots)
    return section("What is traded off", f"<figure>{chart}</figure>{soft(_legend(run, dots))}")


def dots_of(run: RunSoFar) -> Iterator[Dot]:
    """Each trial, or known result, that has all objectives."""
    state, names = run.state, list(goals_of(run.spec))
    front = {trial.number for trial in as_corrected(state, state.found.front)}
    for trial in as_corrected(state, (one for one in state.observed if not one.stands_for)):
        told = objectives_of(run.spec, trial)
        if state.counts(trial) and len(told) == len(names):
            kind: Kind = "trade-off" if trial.number in front else "beaten"
            if not state.where_held(trial.parameters):
                kind = "elsewhere"
            elif not is_full(state.policy, trial):
                kind = "cheap"
            elif not state.may_be_best(trial):
                kind = "in doubt" if is_in_doubt(trial, state) else "breaking"
            name = f"{trial.number}" if trial.number > 0 else where_words(trial.number)
            yield Dot(name, [told[name] for name in names], kind)


def _legend(run: RunSoFar, dots: list[Dot]) -> str:
    kinds = {dot.kind for dot in dots}
    words = [
        "Blue: the trade-offs, which no other trial beats in all objectives; the line is the edge of what"
        " they attain"
    ]
    if len(run.spec.further_objectives) > 1:
        words[0] += " in the two objectives of its panel"
    if "beaten" in kinds:
        words.append("grey: those that one of them beats")
    rings = {
        "elsewhere": f"those that are not at {place_words(run.state.policy.where.held)}",
        "cheap": "those that are not at full fidelity",
        "breaking": "those that do not satisfy the constraints on outcomes",
        "in doubt": "known results of which it is not known whether they satisfy the constraints",
    }
    if told := [said for kind, said in rings.items() if kind in kinds]:
        words.append(f"rings: {', and '.join(told)}")
    failed = sum(trial.state is TrialState.FAILED for trial in run.state.trials.values())
    if failed:
        words.append(
            f"{counted(failed, 'trial')} failed and {'has' if failed == 1 else 'have'} no place here"
        )
    return "; ".join(words) + "."


def trade_offs_listed(run: RunSoFar) -> str:
    """The table of the front; nothing where it is empty."""
    whole = trade_offs_table(run.spec, run.state, COLUMNS)
    if not whole.rows:
        return ""
    shown = Table(whole.columns, whole.rows[:ROWS])
    columns = list(zip(*shown.rows, strict=True))
    digits = [column_digits([cell for cell in column if isinstance(cell, float)]) for column in columns]
    rows = [
        ["" if c is None else number(c, d) for c, d in zip(row, digits, strict=True)] for row in shown.rows
    ]
    notes = []
    if len(whole.rows) > ROWS:
        notes.append(f"{counted(len(whole.rows) - ROWS, 'more trade-off')}: orchestrator best")
    left_out = len(trade_offs_table(run.spec, run.state).columns) - len(whole.columns)
    if left_out:
        notes.append(f"{counted(left_out, 'more parameter')}: orchestrator best")
    under = soft(". ".join(notes)) if notes else ""
    first = run.spec.objective.name
    order = f", by {first}, the best first" if len(rows) > 1 else ""
    return section(f"{counted(len(whole.rows), 'trade-off')}{order}", f"{table(shown.columns, rows)}{under}")
