"""How values are spread where parameters are uncertain: as a table for people, and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict

from orchestrator.parameters.drawn_priors import priors_in_brief
from orchestrator.report.tables.sensitivity import models_record
from orchestrator.report.tables.table import Table
from orchestrator.report.words.goals import titled
from orchestrator.report.words.prediction import BOUNDS
from orchestrator.report.words.spread import RunSpread, chance_words, sentences
from orchestrator.report.words.wording import uncertain
from orchestrator.sensitivity.held_out import HIGH, LOW
from orchestrator.sensitivity.marginals import interval_of
from orchestrator.sensitivity.spread import SHARES, Figure
from orchestrator.values.printable import printable

COLUMNS = ("quantity", "figure", "expected", "deviation", "low", "high", "luck")
BROKEN = "broken"
ANY = "any of these"
"""Of several limits."""
SHOWN = ("mean", "deviation", "5 %", "median", "95 %")
"""Figures, in a terminal."""


def spread_table(told: RunSpread) -> Table:
    """A row a figure: of a quantity its mean, its deviation, and what lies below its median and other values;
    of a limit from 0 to 1 how likely it is broken. Of each what is expected, the deviation of that, and the
    bounds between which it lies nine times out of ten, by what models do not know, and by how much it may be
    off besides, by luck.
    """
    rows: list[list[object]] = []
    for name, own in told.found.quantities.items():
        rows += [[name, figure, *_numbers(one)] for figure, one in own.figures.items()]
    rows += [[text, BROKEN, *_numbers(one)] for text, one in told.found.broken.items()]
    if told.found.any is not None:
        rows.append([ANY, BROKEN, *_numbers(told.found.any)])
    return Table(COLUMNS, rows)


def spread_json(told: RunSpread) -> str:
    """All of it as one JSON object."""
    found, where, calibration = told.found, told.where, told.calibration
    quantities = {}
    for name, own in found.quantities.items():
        shares = told.shares.get(name)
        by = [] if shares is None else zip(told.reasons, shares.alone, shares.in_all, strict=True)
        quantities[name] = {
            **{figure: asdict(one) for figure, one in own.figures.items()},
            "by_models": own.by_models,
            "shares": {
                reason: {"alone": float(alone), "in_all": float(in_all)} for reason, alone, in_all in by
            },
        }
    limits = {
        text: {**asdict(one), "results_broken": told.seen[text][0], "results": told.seen[text][1]}
        for text, one in found.broken.items()
    }
    factor = None
    if calibration is not None and calibration.factors is not None:
        factor = asdict(interval_of(calibration.factors))
    record = {
        "interval": [LOW, HIGH],
        "uncertain": {} if where.uncertain is None else where.uncertain.told(),
        "priors": {} if where.uncertain else priors_in_brief(where.space, where.space.priors),
        "settings": dict(where.exact),
        "left_out": list(where.left_out),
        "best_trial": where.best,
        "shares_below": dict(SHARES),
        "quantities": quantities,
        "limits": limits,
        "any_broken": None if found.any is None else asdict(found.any),
        "succeeds": told.succeeds,
        "failed": told.failed,
        "drawn": told.drawn,
        "independent_draws": told.independent,
        "errors_factor": factor,
        **models_record(told.models, where.space),
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def spread_words(told: RunSpread, width: int | None) -> str:
    """For a terminal of so many columns, or of any: a row a quantity, a row a limit, what that is, how far to
    trust it.
    """
    rows = [
        [titled(name, told.units), *(_unsure(own.figures[figure]) for figure in SHOWN)]
        for name, own in told.found.quantities.items()
    ]
    quantities = Table(
        ("", "mean", "deviation", *("median" if one == "median" else f"{one} below" for one in SHOWN[2:])),
        rows,
    )
    limits = [
        [printable(text), *chance_words(one, told.independent), _seen(told, text)]
        for text, one in told.found.broken.items()
    ]
    if told.found.any is not None:
        limits.append([ANY, *chance_words(told.found.any, told.independent), ""])
    if not limits:
        return quantities.with_sentences(sentences(told), width)
    below = Table(("limit", "broken", BOUNDS, "results"), limits)
    return f"{quantities.written('table', width)}\n{below.with_sentences(sentences(told), width)}"


def _unsure(one: Figure) -> str:
    """Where models are certain, what luck there is says how many digits are known."""
    return uncertain(one.expected, max(one.deviation, one.luck))


def _seen(told: RunSpread, text: str) -> str:
    broken, of = told.seen[text]
    return f"{broken:,} of {of:,}"


def _numbers(one: Figure) -> list[float]:
    return [one.expected, one.deviation, one.low, one.high, one.luck]
