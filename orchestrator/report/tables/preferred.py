"""The trial that people prefer: as a table, or as a row."""

from __future__ import annotations

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.preferred import PREFERRED, Preferred
from orchestrator.report.tables.table import Table
from orchestrator.report.tables.trials import trials_table
from orchestrator.spec.results.column_names import own_name


def preferred_table(run: RunSoFar, best: Preferred) -> Table:
    """A row a thing to know of it: its trial, how surely it is better than the next, each parameter."""
    rows: list[list[object]] = [["trial", best.trial.number, None]]
    if best.chance is not None:
        rows.append([f"chance that it is better than trial {best.next}", best.chance, None])
    rows += [[name, best.trial.parameters.get(name), one.unit] for name, one in run.spec.parameters.items()]
    return Table(("name", PREFERRED, "unit"), rows)


def preferred_row(run: RunSoFar, best: Preferred) -> Table:
    """It as a row of `trials_table`, for programs; and how surely it is better than the next."""
    table = trials_table(run, [best.trial])
    told: dict[str, object] = {"next_best_trial": best.next, "chance_better": best.chance}
    columns = (*table.columns, *(own_name(name, set(table.columns)) for name in told))
    return Table(columns, [[*table.rows[0], *told.values()]], table.units, table.foreign)
