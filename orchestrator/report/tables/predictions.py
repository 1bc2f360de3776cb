"""What models of a run's results expect at points: as a table for people, and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from orchestrator.arrays import FloatArray
from orchestrator.report.models.predictions import RunPredictions
from orchestrator.report.tables.sensitivity import models_record
from orchestrator.report.tables.table import Table, rounded
from orchestrator.report.words.goals import titled
from orchestrator.report.words.prediction import BOUNDS, Chances, Where, sentences
from orchestrator.report.words.wording import number_beside, uncertain
from orchestrator.sensitivity.held_out import HIGH, LOW
from orchestrator.sensitivity.prediction import Expected
from orchestrator.spec.results.column_names import own_name
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

DIGITS = 4
"""Of bounds, or as many more as tell the lower from the upper one."""
PARTS = ("expected", "deviation", "low", "high")
MOST_SHOWN = 11
"""Points of a curve, in a terminal."""


def predictions_table(told: RunPredictions) -> Table:
    """A row a point: of each quantity what is expected, the deviation of that, and the bounds between which
    it is believed to lie nine times out of ten, of a curve lists of these, and of where its points are,
    if that is told; how likely it is above a
    threshold, if that is sought; how likely all constraints are to be satisfied, if there are any, and an
    evaluation to succeed, if any failed; and the settings, None where a parameter does not count. No column
    is called as the objective: what is expected is no result. A parameter called as a column of ours keeps
    its name, and ours gets a ``run.`` in front.
    """
    names = _names(told)
    curves = told.found.curves
    own = [f"{name}_{part}" for name, _ in _quantities(told) for part in PARTS]
    own += [f"{name}_{part}" for name in curves for part in (*_places(told, name), *PARTS)]
    own += [name for name, _ in _chances(told)]
    rows: list[list[object]] = []
    for i, settings in enumerate(told.asked.shown):
        row: list[object] = [value for _, expected in _quantities(told) for value in _at(expected, i)]
        for name, curve in curves.items():
            row += [*_places(told, name).values(), *_lists(curve[i])]
        row += [float(chances[i]) for _, chances in _chances(told)]
        rows.append([*row, *(settings.get(name) for name in names)])
    return Table((*(own_name(name, set(names)) for name in own), *names), rows)


def predictions_json(told: RunPredictions) -> str:
    """All of it as one JSON object."""
    asked = told.asked
    points: list[dict[str, object]] = []
    for i, settings in enumerate(asked.shown):
        predicted = {
            quantity: dict(zip(("mean", *PARTS[1:]), _at(expected, i), strict=True))
            for quantity, expected in _quantities(told)
        }
        curves = {
            name: {**_places(told, name), **dict(zip(("mean", *PARTS[1:]), _lists(curve[i]), strict=True))}
            for name, curve in told.found.curves.items()
        }
        chances = {name: float(all_of[i]) for name, all_of in _chances(told)}
        points.append(
            {
                "parameters": dict(settings),
                "predicted": predicted,
                **({"curves": curves} if curves else {}),
                "satisfied": chances.get("satisfied"),
                **({"above": chances["above"]} if "above" in chances else {}),
                "succeeds": chances.get("succeeds"),
            }
        )
    record = {
        "quantity": told.quantity,
        "interval": [LOW, HIGH],
        "left_out": list(asked.left_out),
        **({"over": told.over} if asked.varying else {}),
        "best_trial": None if asked.best is None else asked.best.number,
        **({} if asked.like is None else {"from_trial": asked.like.number}),
        "points": points,
        **models_record(told.models, told.asked.space),
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def predictions_words(told: RunPredictions, width: int | None) -> str:
    """For a terminal of so many columns, or of any: the table, what its columns are, how far to trust it."""
    table = _of_one(told) if len(told.asked.points) == 1 else _of_several(told)
    asked = told.asked
    best = None if asked.best is None else asked.best.number
    like = None if asked.like is None else asked.like.number
    where = Where(asked.space, asked.points, asked.left_out, best, asked.varying, told.over, like)
    asked_for = Chances(told.constrained, told.failed, told.tried, told.threshold)
    said = [*_of_curves(told), *sentences(where, told.models, asked_for)]
    return table.with_sentences(said, width)


def _of_curves(told: RunPredictions) -> Iterator[str]:
    """Which of their points the table leaves out."""
    several = len(told.asked.points) > 1
    for name, curve in told.found.curves.items():
        count = len(curve[0].mean)
        shown = 0 if several else len(_shown_points(count))
        if shown < count:
            which = f"{shown} of its {count:,} points are shown" if shown else "its points are not shown"
            yield f"{printable(name)}: {which}; --format csv and json have all"


def _of_one(told: RunPredictions) -> Table:
    """A row a quantity."""
    rows = [[titled(quantity, told.units), *_words(expected, 0)] for quantity, expected in _quantities(told)]
    for name, (curve, *_) in told.found.curves.items():
        rows += [
            [f"{name}, {_where(told, name, i)}", *_words(curve, i)] for i in _shown_points(len(curve.mean))
        ]
    rows += [[name, percentage(float(chances[0])), ""] for name, chances in _chances(told)]
    return Table(("", "expected", BOUNDS), rows)


def _where(told: RunPredictions, curve: str, index: int) -> str:
    """Which point of a curve it is."""
    if curve not in told.places:
        return f"point {index + 1:,}"
    places = told.places[curve]
    return f"at {number_beside(places[index], places[index - 1])}"


def _of_several(told: RunPredictions) -> Table:
    """A row a point."""
    names = _names(told)
    heads = [head for quantity, _ in _quantities(told) for head in (titled(quantity, told.units), BOUNDS)]
    heads += [name for name, _ in _chances(told)]
    rows: list[list[object]] = []
    for i, settings in enumerate(told.asked.shown):
        row = [words for _, expected in _quantities(told) for words in _words(expected, i)]
        row += [percentage(float(chances[i])) for _, chances in _chances(told)]
        rows.append([i + 1, *row, *(rounded(settings.get(name)) for name in names)])
    return Table(("point", *heads, *names), rows)


def _names(told: RunPredictions) -> list[str]:
    """Of the parameters, what varies in use left out where designs alone are asked about."""
    asked = told.asked
    given = asked.space.given_names
    return [name for name in asked.names if name in given and name not in asked.varying]


def _words(expected: Expected, row: int) -> tuple[str, str]:
    """``37.3 ± 0.4``, and ``36.6 to 38``."""
    mean, deviation, low, high = _at(expected, row)
    between = f"{number_beside(low, high, DIGITS)} to {number_beside(high, low, DIGITS)}"
    return uncertain(mean, deviation), between


def _chances(told: RunPredictions) -> Iterator[tuple[str, FloatArray]]:
    """Those that there is anything to say of."""
    if told.found.above is not None:
        yield "above", told.found.above
    if told.constrained:
        yield "satisfied", told.found.satisfied
    if told.failed:
        yield "succeeds", told.found.succeeds


def _quantities(told: RunPredictions) -> Iterator[tuple[str, Expected]]:
    yield told.quantity, told.found.value
    yield from told.found.outcomes.items()


def _shown_points(count: int) -> list[int]:
    """Of a curve of so many points, those that a terminal shows: evenly among them."""
    shown = min(count, MOST_SHOWN)
    return sorted({round(i * (count - 1) / max(1, shown - 1)) for i in range(shown)})


def _places(told: RunPredictions, curve: str) -> dict[str, list[float]]:
    """Where the points of a curve are, if that is told."""
    return {"at": list(told.places[curve])} if curve in told.places else {}


def _lists(expected: Expected) -> tuple[list[float], ...]:
    """Of all points of a curve the same as `_at`."""
    parts = (expected.mean, expected.deviation, expected.low, expected.high)
    return tuple([float(value) for value in part] for part in parts)


def _at(expected: Expected, row: int) -> tuple[float, float, float, float]:
    own = (expected.mean, expected.deviation, expected.low, expected.high)
    mean, deviation, low, high = (float(one[row]) for one in own)
    return mean, deviation, low, high
