"""What a run's results say of its parameters, in words for people and as values for programs."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from orchestrator.report.believed import where_words
from orchestrator.report.run_sensitivity import RunSensitivity
from orchestrator.report.tables import Table
from orchestrator.report.words.wording import NAMED, counted, number, percentage, printable
from orchestrator.sensitivity.results_model import MOST_RESULTS, LeftOut

COLUMNS = ("parameter", "at", "alone", "in_all", "least", "most")
DIGITS = 5
WIDTH = 100
"""Of sentences, where nobody says how wide it is to be."""
LITTLE_EXPLAINED = 0.5
"""A model that explains less of results left out says little of the parameters."""


def sensitivity_table(told: RunSensitivity) -> Table:
    """A row a parameter, the one with the largest share first: its value at the point that profiles run
    through, its shares of the variance, from 0 to 1, and the least and the most expected along it. None where
    it does not count there.
    """
    rows: list[list[Any]] = []
    for name, influence in told.found.influences.items():
        along = influence.profile
        least, most = (None, None) if along is None else along.range
        at = None if along is None else told.through.parameters.get(name)
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
        "explained": None if math.isnan(left_out.explained) else left_out.explained,
        "within_two_deviations": float(left_out.expected.mean()),
        "through_trial": told.through.number,
        "parameters": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def sensitivity_words(told: RunSensitivity, width: int | None) -> str:
    """For a terminal of so many columns, or of any: the table, what its columns are, how far to trust it."""
    table = sensitivity_table(told)
    rows = [
        [
            printable(str(name)),
            _rounded(at),
            percentage(alone),
            percentage(in_all),
            _rounded(least),
            _rounded(most),
        ]
        for name, at, alone, in_all, least, most in table.rows
    ]
    shown = Table(("parameter", "at", "alone", "in all", "from", "to"), rows).written("table", width)
    lines = (textwrap.fill(f"{line}.", width or WIDTH) for line in sentences(told))
    return f"{shown}\n" + "".join(f"{line}\n" for line in lines)


def sentences(told: RunSensitivity) -> Iterator[str]:
    """What the columns are, and how far to trust them."""
    quantity = printable(told.quantity)
    yield (
        f"alone: the share of how {quantity} varies over all settings that goes once the parameter is known; "
        "in all: the share that stays while only it is unknown"
    )
    yield (
        f"from, to: the {quantity} expected along it, the others as in the best point "
        f"({where_words(told.through.number)})"
    )
    if told.space.constraints:
        yield "all settings: whatever the constraints between parameters say"
    yield trust(told)


def trust(told: RunSensitivity) -> str:
    """By which models, and what they predict of results left out."""
    found = told.found
    words = trust_in(found.hypotheses, found.left_out, found.results)
    if found.left_out.explained < LITTLE_EXPLAINED:
        words += ": too little to rely on the shares"
    return words


def trust_in(hypotheses: Mapping[str, float], left_out: LeftOut, results: int) -> str:
    """The same of any model, of which of so many ``results`` it was made."""
    by = ", ".join(f"`{name}` ({weight:.0%})" for name, weight in list(hypotheses.items())[:NAMED])
    within, of = int(left_out.expected.sum()), len(left_out.expected)
    words = f"by {by}, from {_chosen(of, results)}"
    if math.isnan(left_out.explained):
        return f"{words}, which are all alike"
    return (
        f"{words}; left out one by one, {within} of {of} lie within two deviations of what the others "
        f"predict, which explains {percentage(max(0.0, left_out.explained))} of their variance"
    )


def _chosen(modelled: int, results: int) -> str:
    if modelled == results:
        return counted(results, "result")
    why = "drawn whatever their values" if results > MOST_RESULTS else "the others being penalties"
    return f"{modelled} of {results} results, {why}"


def _rounded(value: Any) -> Any:
    return float(number(value, DIGITS)) if isinstance(value, float) else value
