"""What a run's results say of its parameters: as a table for people, and for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

from orchestrator.parameters.space import Space
from orchestrator.report.models.sensitivity import RunSensitivity
from orchestrator.report.tables.table import Table, rounded
from orchestrator.report.words.goals import titled
from orchestrator.report.words.sensitivity import sentences
from orchestrator.report.words.wording import where_words
from orchestrator.sensitivity.results_model import LeftOut
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

AS_NOTHING = 1e-6
"""Of the largest number of two columns: what is less is told as 0, and not in digits that mean nothing."""
COLUMNS = ("parameter", "at", "alone", "in_all", "least", "most")


def sensitivity_table(told: RunSensitivity) -> Table:
    """A row a parameter, the one with the largest share first: its value at the point that profiles run
    through, its shares of the variance, from 0 to 1, and the least and the most expected along it. None where
    it does not count there.
    """
    rows: list[list[object]] = []
    for name, influence in told.found.influences.items():
        along = influence.profile
        least, most = (None, None) if along is None else along.range
        at = None if along is None else told.settings.get(name)
        rows.append([name, at, influence.alone, influence.in_all, least, most])
    return Table(COLUMNS, sorted(rows, key=lambda row: -row[3]))


def sensitivity_json(told: RunSensitivity) -> str:
    """All of it as one JSON object."""
    table, left_out = sensitivity_table(told), told.found.left_out
    record = {
        "quantity": told.quantity,
        "results": told.found.results,
        "modelled": len(left_out.values),
        "hypotheses": told.found.hypotheses,
        "by_logarithm": told.found.by_logarithm,
        "explained": explained(left_out),
        "within_two_deviations": float(left_out.expected.mean()),
        "through_trial": told.trial,
        "parameters": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def sensitivity_words(told: RunSensitivity, width: int | None) -> str:
    """For a terminal of so many columns, or of any: the table, what its columns are, how far to trust it."""
    table = sensitivity_table(told)
    grain = _grain([value for row in table.rows for value in row[-2:] if isinstance(value, float)])
    rows = [
        [
            titled(printable(str(name)), told.units),
            rounded(at),
            percentage(alone),
            percentage(in_all),
            rounded(0.0 if least is not None and abs(least) < grain else least),
            rounded(0.0 if most is not None and abs(most) < grain else most),
        ]
        for name, at, alone, in_all, least, most in table.rows
    ]
    shown = Table(("parameter", "at", "alone", "in all", "from", "to"), rows)
    constrained = bool(told.space.required)
    through = told.point if told.trial is None else f"{told.point} ({where_words(told.trial)})"
    quantity = titled(told.quantity, told.units)
    said = sentences(told.found, told.quantity, through, constrained=constrained, along=quantity)
    return shown.with_sentences(said, width)


def _grain(expected: Sequence[float]) -> float:
    """What counts as 0 beside the largest of the values that are expected: rounding leaves so much of it."""
    return AS_NOTHING * max(map(abs, expected), default=0.0)


def models_record(models: Mapping[str, ValueModel], space: Space) -> dict[str, object]:
    """Of models of quantities, by name, what they are, which parameters of the space they see by logarithms,
    how far to trust them, and how many times as unsure as they say what is told of their beliefs is; as
    values for programs.
    """
    left_out = {name: model.left_out() for name, model in models.items()}
    return {
        "hypotheses": {name: model.hypotheses for name, model in models.items()},
        "by_logarithm": {name: model.scales.by_end_of(space.names) for name, model in models.items()},
        "results": {name: model.measured for name, model in models.items()},
        "modelled": {name: model.modelled for name, model in models.items()},
        "explained": {name: explained(one) for name, one in left_out.items()},
        "within_two_deviations": {name: float(one.expected.mean()) for name, one in left_out.items()},
        "stretched": {name: model.stretch for name, model in models.items()},
    }


def explained(left_out: LeftOut) -> float | None:
    """The share of the variance; None where values do not vary."""
    return None if math.isnan(left_out.explained) else left_out.explained
