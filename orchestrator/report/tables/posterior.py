"""Which settings are plausible: as a table for people, and for programs."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

from orchestrator.parameters.drawn_priors import priors_in_brief
from orchestrator.report.models.posterior import RunPosterior
from orchestrator.report.tables.sensitivity import models_record
from orchestrator.report.tables.table import Table, rounded
from orchestrator.report.words.goals import titled
from orchestrator.report.words.posterior import AT_BOUND, sentences
from orchestrator.report.words.wording import number
from orchestrator.sensitivity.marginals import Interval, Marginal, interval_of
from orchestrator.sensitivity.misfit_left import misfit_is
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

COLUMNS = (
    "parameter", "unit", "best", "median", "low_68", "high_68", "low_95", "high_95", "at_bound", "by_models",
    "counts", "chances",
)  # fmt: skip


def posterior_table(told: RunPosterior) -> Table:
    """A row a parameter: its value in the best trial, the median of what is plausible, and the ends of what
    it lies between in 68 and in 95 %; at which of its bounds that is cut off; from 0 to 1 the share of the
    68 % that comes of what models do not know, and how plausible it is that it counts. Of one whose values
    are no numbers the chance of each, as JSON, in the place of an interval.
    """
    return Table(COLUMNS, [list(_row(told, one).values()) for one in told.found.each])


def draws_table(told: RunPosterior) -> Table:
    """A row a draw, with the parameters that are chosen or computed; None of one that does not count."""
    names = told.space.given_names
    return Table(names, [[draw.get(name) for name in names] for draw in told.found.draws])


def posterior_json(told: RunPosterior) -> str:
    """All of it as one JSON object."""
    calibration, chain, names = told.calibration, told.calibration.chain, told.found.numbers
    parameters = len(told.space.names)
    rows = [_row(told, one) for one in told.found.each]
    record = {
        "parameters": [
            {**row, "chances": told_of.chances} for row, told_of in zip(rows, told.found.each, strict=True)
        ],
        "correlations": {
            name: dict(zip(names, row.tolist(), strict=True))
            for name, row in zip(names, told.found.correlations, strict=True)
        },
        "priors": priors_in_brief(told.space, told.space.priors),
        "best_trial": told.best.number,
        "misfit": told.least.misfit,
        "misfit_expected": calibration.least_expected,
        "misfit_is": misfit_is(
            told.least.misfit, calibration.least_expected, calibration.targets, parameters
        ),
        "errors_factor": None if calibration.factors is None else asdict(interval_of(calibration.factors)),
        "targets": calibration.targets,
        "failed": calibration.failed,
        "independent_draws": calibration.effective,
        "steps": None if chain is None else len(chain.positions),
        "accepted": None if chain is None else chain.accepted,
        "long_enough": chain is None or chain.is_long_enough,
        **models_record({"outcomes": told.model}, told.space),
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def posterior_words(told: RunPosterior, width: int | None) -> str:
    """For a terminal of so many columns, or of any: the table, what its columns are, how far to trust it."""
    said = sentences(told.space, told.found, told.calibration, told.model, told.least)
    return shown_table(told).with_sentences(said, width)


def shown_table(told: RunPosterior) -> Table:
    """A row a parameter, for people."""
    units = {p.name: printable(p.unit) for p in told.space.parameters if p.unit}
    at_bounds = any(one.bounds for one in told.found.each)
    heads = ["parameter", "best", "median", "68 %", "95 %", "by models", *(["at bound"] if at_bounds else [])]
    rows = []
    for one in told.found.each:
        row: list[object] = [titled(printable(one.name), units), rounded(told.best.parameters.get(one.name))]
        if one.interval is None:
            row += [printable(next(iter(one.chances), "")), None, None, None]
        else:
            own = one.interval
            digits = _telling(own)
            between = [(own.low, own.high), (own.least, own.most)]
            row += [number(own.median, digits)]
            row += [f"{number(low, digits)} to {number(high, digits)}" for low, high in between]
            row.append(None if one.of_models is None else percentage(one.of_models))
        rows.append([*row, *([AT_BOUND[one.bounds]] if at_bounds else [])])
    return Table(tuple(heads), rows)


def _telling(interval: Interval) -> int:
    """Significant digits of its numbers: two of how far apart its ends are, and three at least."""
    largest, apart = max(abs(interval.least), abs(interval.most)), interval.high - interval.low
    return max(3, 2 + math.ceil(math.log10(largest / apart))) if largest > 0.0 < apart else 5


def _row(told: RunPosterior, one: Marginal) -> dict[str, object]:
    unit = next((p.unit for p in told.space.parameters if p.name == one.name), "")
    interval = one.interval
    ends = (
        (None,) * 5
        if interval is None
        else (interval.median, interval.low, interval.high, interval.least, interval.most)
    )
    chances = json.dumps(dict(one.chances), ensure_ascii=False) if one.chances else None
    best = told.best.parameters.get(one.name)
    at_bound = AT_BOUND[one.bounds] or None
    cells = (one.name, unit or None, best, *ends, at_bound, one.of_models, one.counts, chances)
    return dict(zip(COLUMNS, cells, strict=True))
