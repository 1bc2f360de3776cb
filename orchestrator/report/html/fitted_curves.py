"""Curves that are fitted, as charts of a run's page: what each is to be, and what the best trial's is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from orchestrator.computed_objective import Misfit
from orchestrator.fit_targets import CurveTarget
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.html.charts import COLOURS, SOFT, Plot, document
from orchestrator.report.html.parts import section, soft
from orchestrator.report.html.value_axis import ValueAxis
from orchestrator.report.words.wording import number, where_words
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.corrections import trial_of
from orchestrator.spec.build import build_wanted_outcomes
from orchestrator.values.curve import numbers_of
from orchestrator.values.printable import printable

MOST_DRAWN: Final = 12
"""Curves, of which each has a chart."""
FEW_POINTS: Final = 60
"""Of so many each is drawn with its error."""
_HEIGHT: Final = 260


def fitted_curves(run: RunSoFar) -> str:
    """Those of the best trial; nothing where no curve is fitted, or none is the best."""
    if amended(run.spec, run.state).objective.fit is None or run.state.found.best is None:
        return ""
    drawn = list(_each(run))
    left_out = soft(f"The first {MOST_DRAWN} are drawn.") if len(drawn) > MOST_DRAWN else ""
    return "".join(drawn[:MOST_DRAWN]) + left_out


def _each(run: RunSoFar) -> Iterator[str]:
    wanted, best = build_wanted_outcomes(amended(run.spec, run.state)), run.state.found.best
    assert wanted is not None
    assert best is not None
    if not isinstance(wanted.computed, Misfit):
        return
    which = where_words(trial_of(run.state, best).number)
    for name, target in wanted.computed.targets.items():
        came = numbers_of(best.extras.get(name))
        if isinstance(target, CurveTarget) and came is not None and len(came) == len(target.values):
            chart = fitted_chart(printable(name), target, came)
            off = number(off_by(target, came), 2)
            legend = (
                f"Grey: what {name} is to be, and its errors; blue: that of the best point, {which}, which is"
                f" off by {off} errors, as the root mean square over its points."
            )
            yield section(f"How {name} is fitted", f"<figure>{chart}</figure>{soft(legend)}")


def off_by(target: CurveTarget, came: Sequence[float]) -> float:
    """By how many errors a curve is off its target, as a root mean square."""
    parts = zip(target.values, target.errors, came, strict=True)
    # No square of one overflows.
    return math.hypot(*((told - value) / error for value, error, told in parts)) / math.sqrt(len(came))


def fitted_chart(name: str, target: CurveTarget, came: Sequence[float]) -> str:
    """A curve that ``came``, over its target of as many points: each with its error, or of many a band. They
    are where they say that they are, or evenly apart.
    """
    count = len(came)
    places = target.places or tuple(range(1, count + 1))
    order = sorted(range(count), key=places.__getitem__)
    low, high = (
        [v + side * e for v, e in zip(target.values, target.errors, strict=True)] for side in (-1, 1)
    )
    first, last = places[order[0]], places[order[-1]]
    axis = ValueAxis(min(*low, *came), max(*high, *came))
    plot = Plot(first, last if last > first else first + 1, axis, _HEIGHT)
    shapes = plot.axes(name, "point" if target.places is None else "at", whole=target.places is None)
    edges, middle, own = (
        [[plot.at(places[i], values[i]) for i in order] for values in (low, high)],
        [plot.at(places[i], target.values[i]) for i in order],
        [plot.at(places[i], came[i]) for i in order],
    )
    if count <= FEW_POINTS:
        for (x, bottom), (_, top), (_, y) in zip(*edges, middle, strict=True):
            shapes.append(f'<path d="M{x:g},{bottom:g}V{top:g}" stroke="{SOFT}" stroke-width="1.2"/>')
            shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="2" fill="{SOFT}"/>')
    else:
        band = _points([*edges[1], *reversed(edges[0])])
        shapes.append(f'<polygon points="{band}" fill="{SOFT}" fill-opacity="0.25"/>')
        shapes.append(_line(middle, SOFT, 1.2))
    shapes.append(_line(own, COLOURS[0], 1.8))
    return document(_HEIGHT, shapes, f"{name}: the best trial's {count:,} points over what they are to be.")


def _line(points: Sequence[tuple[float, float]], colour: str, width: float) -> str:
    return (
        f'<polyline points="{_points(points)}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        'stroke-linejoin="round"/>'
    )


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
