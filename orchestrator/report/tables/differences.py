"""By how much points of a run are believed to differ from one of them: for people, and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from statistics import mean

from orchestrator.report.models.differences import RunDifferences
from orchestrator.report.models.meant_points import MeantPoint
from orchestrator.report.tables.sensitivity import models_record
from orchestrator.report.tables.table import Table
from orchestrator.report.words.differences import (
    BOUNDS,
    apart,
    bounds,
    left_out_words,
    moved_words,
    sentences,
    share_words,
    taken_for_exact_words,
    where_words,
)
from orchestrator.report.words.goals import titled
from orchestrator.report.words.prediction import Chances, trust_sentences
from orchestrator.report.words.wording import finite_number, number_beside
from orchestrator.scheduler.words.trial_names import trial_name
from orchestrator.sensitivity.differences import HIGH, LOW, Difference
from orchestrator.spec.results.column_names import own_name
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

DIGITS = 5
COLUMNS = (
    *("point", "against", "quantity", "expected", "expected_against", "difference", "deviation"),
    *("low", "high", "share", "share_low", "share_high", "higher", "better"),
)


def differences_table(told: RunDifferences) -> Table:
    """A row a point and quantity, for programs; shares are of 1, and None where there is none."""
    rows: list[list[object]] = []
    for point, found in zip(told.points, told.found, strict=True):
        for name, one in found.items():
            share = (None,) * 3 if one.share is None else (one.share.mean, one.share.low, one.share.high)
            rows.append(
                [
                    *(point.called, told.against.called, name, one.here, one.there, one.mean, one.deviation),
                    *(one.low, one.high, *share, one.higher, _better(told, name, one)),
                ]
            )
    return Table(COLUMNS, rows)


def differences_json(told: RunDifferences) -> str:
    """All of it as one JSON object."""
    points = []
    for row, (point, found) in enumerate(zip(told.points, told.found, strict=True)):
        points.append(
            {
                **_point(told, point, row),
                "differences": {name: _record(told, name, one) for name, one in found.items()},
            }
        )
    record = {
        "quantity": told.predictions.quantity,
        "interval": [LOW, HIGH],
        "against": _point(told, told.against, len(told.points)),
        "points": points,
        "averages": told.averages,
        **models_record(told.predictions.models, told.predictions.asked.space),
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def _point(told: RunDifferences, point: MeantPoint, row: int) -> dict[str, object]:
    predictions, chances = told.predictions, told.predictions.found
    values = [one.value for one in point.measured if one.value is not None]
    return {
        "called": point.called,
        "trial": None if point.trial is None else point.trial.number,
        "measured": mean(values) if values else None,
        "times": len(values),
        "parameters": dict(point.settings),
        "left_out": list(point.left_out),
        "satisfied": float(chances.satisfied[row]) if predictions.constrained else None,
        "succeeds": float(chances.succeeds[row]) if predictions.failed else None,
    }


def _record(told: RunDifferences, name: str, one: Difference) -> dict[str, object]:
    share = None
    if one.share is not None:
        share = {"mean": one.share.mean, "low": one.share.low, "high": one.share.high}
    return {
        "expected": one.here,
        "expected_against": one.there,
        "mean": one.mean,
        "deviation": one.deviation,
        "low": one.low,
        "high": one.high,
        "share": share,
        "higher": one.higher,
        "better": _better(told, name, one),
    }


def _better(told: RunDifferences, name: str, one: Difference) -> float | None:
    return one.better(told.signs[name]) if name in told.signs else None


def differences_words(told: RunDifferences, width: int | None) -> str:
    """For a terminal of so many columns, or of any: the table, what its columns are, how far to trust it."""
    several = len(told.points) > 1
    heads = ["", "there" if several else told.points[0].called, told.against.called]
    heads += ["difference", BOUNDS, f"of {told.against.words}", "better"]
    rows: list[list[object]] = []
    for row, (point, found) in enumerate(zip(told.points, told.found, strict=True)):
        rows += [[*([point.called] if several else []), *line] for line in _lines(told, row, found)]
    table = Table(tuple(["point", *heads] if several else heads), rows)
    return table.with_sentences(_sentences(told), width)


def _lines(told: RunDifferences, row: int, found: Mapping[str, Difference]) -> Iterator[list[object]]:
    """Of one point: a line a quantity, and of each chance that there is anything to say of."""
    predictions = told.predictions
    for name, one in found.items():
        better = _better(told, name, one)
        yield [
            titled(printable(name), predictions.units),
            number_beside(one.here, one.there, DIGITS, unsure=one.deviation),
            number_beside(one.there, one.here, DIGITS, unsure=one.deviation),
            apart(one),
            bounds(one),
            share_words(one.share),
            "" if better is None else percentage(better),
        ]
    chances = [("satisfied", predictions.found.satisfied)] if predictions.constrained else []
    chances += [("succeeds", predictions.found.succeeds)] if predictions.failed else []
    for name, each in chances:
        yield [name, percentage(float(each[row])), percentage(float(each[-1])), "", "", "", ""]


def _sentences(told: RunDifferences) -> Iterator[str]:
    predictions = told.predictions
    units = predictions.asked.space.units
    first = predictions.quantity
    for point in (*told.points, told.against):
        number = None if point.trial is None else point.trial.number
        beside = told.points[0] if point is told.against else told.against
        yield where_words(point.words, number, _measured_words(told, point, beside), point.settings, units)
        if point.left_out:
            yield left_out_words(point.words, point.left_out)
        if point.moved:
            yield moved_words(point.words, point.moved)
        if point is not told.against and point.settings == told.against.settings:
            yield f"{point.words} and {told.against.words} are the same settings"
    for point, found in zip(told.points, told.found, strict=True):
        one = found.get(first)
        if one is not None and told.taken_for_exact(point, one):
            yield _taken_for_exact(told, point)
            break
    goals = {
        printable(name): "minimise" if sign < 0.0 else "maximise"
        for name, sign in told.signs.items()
        if name in predictions.models
    }
    asked_for = Chances(predictions.constrained, predictions.failed, predictions.tried)
    yield from sentences(told.against.words, goals, asked_for, averages=told.averages)
    yield from trust_sentences(predictions.models, predictions.asked.space)


def _measured_words(told: RunDifferences, point: MeantPoint, beside: MeantPoint) -> str:
    """Of an objective, in digits that tell it from what was measured ``beside`` it; else nothing."""
    here, there = (_measured(told, one) for one in (point, beside))
    if not here:
        return ""
    told_as = number_beside(mean(here), mean(there) if there else None, DIGITS)
    return told_as if len(here) == 1 else f"{told_as} on average of {len(here)} times"


def _measured(told: RunDifferences, point: MeantPoint) -> Sequence[float]:
    """What came of an objective at the settings of a point's trial, each time that it was tried."""
    quantity, objective = told.predictions.quantity, next(iter(told.signs), None)
    if quantity not in told.signs:
        return ()
    came = [
        one.value if quantity == objective else finite_number(one.extras.get(quantity))
        for one in point.measured
    ]
    return [value for value in came if value is not None]


def _taken_for_exact(told: RunDifferences, point: MeantPoint) -> str:
    called = point.called, told.against.called
    return taken_for_exact_words(printable(told.predictions.quantity), *called, of_python=told.of_python)


def best_words(told: RunDifferences) -> Iterator[str]:
    """Of the best point against the reference, in sentences."""
    (point,), (found,) = told.points, told.found
    if point.settings == told.against.settings:
        yield "the reference has the same settings: nothing better is believed to be known"
        return
    name = told.predictions.quantity
    one, unit = found[name], told.predictions.units.get(name, "")
    of_it = f", {words} of the reference" if (words := share_words(one.share)) else ""
    difference = f"{apart(one)} {unit}".rstrip()
    number = "" if told.against.trial is None else f" ({trial_name(told.against.trial.number)})"
    average = ", on average over settings that are off" if told.averages else ""
    yield (
        f"the best is better than the reference{number} with {percentage(one.better(told.signs[name]))}, as"
        f" far as results can tell: the difference is {difference} ({bounds(one)}){of_it}, without"
        f" noise{average}"
    )
    if told.taken_for_exact(point, one):
        yield _taken_for_exact(told, point)


def with_reference(row: Table, told: RunDifferences | None) -> Table:
    """The row of a best point, and behind it how it differs from the reference, if that is told."""
    if told is None:
        return row
    one = told.found[0][told.predictions.quantity]
    own = {
        "reference_trial": None if told.against.trial is None else told.against.trial.number,
        "reference_difference": one.mean,
        "reference_difference_deviation": one.deviation,
        "reference_difference_low": one.low,
        "reference_difference_high": one.high,
        "reference_better": one.better(told.signs[told.predictions.quantity]),
    }
    columns = (*row.columns, *(own_name(name, set(row.columns)) for name in own))
    return Table(columns, [[*row.rows[0], *own.values()]], row.units, row.foreign)
