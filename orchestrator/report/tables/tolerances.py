"""How good a run's best points are where settings are off: as a table for people, and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from orchestrator.report.models.tolerances import RunTolerances
from orchestrator.report.tables.sensitivity import models_record
from orchestrator.report.tables.table import Table, rounded
from orchestrator.report.words.prediction import Chances
from orchestrator.report.words.tolerance import sentences
from orchestrator.scheduler.words.trial_names import trial_name
from orchestrator.sensitivity.tolerated import Behaviour
from orchestrator.spec.results.column_names import own_name
from orchestrator.values.percent import percentage


def tolerance_table(told: RunTolerances) -> Table:
    """A row each for the best trial, for the one that is best within the tolerances, and for the best point
    anywhere, of which nothing is known for certain: what is expected as set, on average and in the poorest
    twentieth, how likely the constraints on outcomes are to be satisfied, if there are any, how likely an
    evaluation is to succeed, if any failed, and the settings.
    A parameter of the same name as a column of ours keeps it, and ours gets a ``run.`` in front.
    """
    names = told.tolerances.space.names
    columns = (*(own_name(name, set(names)) for name in _own(told)), *names)
    rows: list[list[object]] = []
    for title, behaviour in _rows(told):
        own = [behaviour.as_set, behaviour.average, behaviour.poor]
        own += [behaviour.satisfied] if told.constrained else []
        own += [behaviour.succeeds] if told.failed else []
        settings = told.tolerances.space.decode(behaviour.point)
        rows.append([title, *own, *(settings.get(name) for name in names)])
    return Table(columns, rows)


def tolerance_json(told: RunTolerances) -> str:
    """All of it as one JSON object."""
    table = tolerance_table(told)
    record = {
        "objective": told.objective,
        "tolerances": dict(told.tolerances.widths),
        "best_trial": told.best.number,
        "best_trial_within_tolerances": told.tried.number,
        "points": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
        **models_record(told.models, told.tolerances.space),
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def tolerance_words(told: RunTolerances, width: int | None) -> str:
    """For a terminal of so many columns, or of any: the table, what its columns are, how far to trust it."""
    table = tolerance_table(told)
    own = len(_own(told))
    chances = own - told.constrained - bool(told.failed)
    rows = [
        [percentage(cell) if chances <= i < own else rounded(cell) for i, cell in enumerate(row)]
        for row in table.rows
    ]
    heads = (*(name.replace("_", " ") for name in table.columns[:own]), *table.columns[own:])
    asked_for = Chances(told.constrained, told.failed, told.evaluated)
    said = sentences(told.objective, told.tolerances, told.models, asked_for, told.now)
    return Table(heads, rows).with_sentences(said, width)


def _own(told: RunTolerances) -> list[str]:
    """The columns beside the parameters."""
    chances = {"satisfied": told.constrained, "succeeds": told.failed}
    return ["point", "as_set", "on_average", "poor", *(name for name, asked in chances.items() if asked)]


def _rows(told: RunTolerances) -> Iterator[tuple[str, Behaviour]]:
    found, best, tried = told.found, trial_name(told.best.number), trial_name(told.tried.number)
    if np.array_equal(found.as_set.point, found.of_tried.point):
        yield f"{best}, the best", found.as_set
    else:
        yield f"{best}, the best as set", found.as_set
        yield f"{tried}, the best tried", found.of_tried
    if not np.array_equal(found.anywhere.point, found.of_tried.point):
        yield "untried, the models' best", found.anywhere
