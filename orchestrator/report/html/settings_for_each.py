"""The settings believed best for each condition, on the page of a run: charts against it, and a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.charts import COLOURS, Plot, document
from orchestrator.report.html.parts import section, soft, table
from orchestrator.report.html.value_axis import ValueAxis
from orchestrator.report.models.settings_for_each import ForEach
from orchestrator.report.tables.settings_for_each import sentences, shown_for_each
from orchestrator.report.words.goals import titled, units_of
from orchestrator.report.words.wording import finite_number
from orchestrator.values.printable import printable

ROWS: Final = 27
"""Of the table; of more every so many-th."""
DRAWN: Final = 8
"""Settings, the first."""
_HEIGHT, _MARGIN = 200, 0.05

Line = Sequence[tuple[float, float]]


def settings_drawn(run: FollowedRun, told: ForEach | None) -> str:
    """Nothing where they were not asked for."""
    if told is None or not told.found:
        return ""
    charts = "".join(f"<figure>{chart}</figure>" for chart in _charts(run, told))
    every = math.ceil((len(told.found) - 1) / 6) if charts and len(told.found) > 16 else 1
    kept = [*told.found[::every]][:ROWS]
    shown = shown_for_each(run, ForEach(told.space, kept, told.empty, told.results))
    words = "".join(soft(f"{sentence}.") for sentence in sentences(run, told))
    drawn = table(shown.columns, shown.rows, unbroken=True)
    return section("The best settings for each condition", f"{charts}{drawn}{words}")


def _charts(run: FollowedRun, told: ForEach) -> Iterator[str]:
    """Against the condition, where it is one number: the value, and each setting that is a number."""
    names = list(told.found[0].condition)
    at = [float(value) for one in told.found if (value := finite_number(one.condition[names[0]])) is not None]
    parameter = told.space.parameters[told.space.index(names[0])]
    if len(names) > 1 or len(at) < max(2, len(told.found)):
        return
    spec = run.spec
    units = units_of(spec) | {name: one.unit for name, one in spec.parameters.items() if one.unit}
    logarithmic = getattr(parameter, "scale", "linear") == "log"
    places = [math.log10(one) for one in at] if logarithmic else at
    across = f"{titled(names[0], units)}{', by its logarithm to base 10' if logarithmic else ''}"
    means = [(place, one.expected.mean) for place, one in zip(places, told.found, strict=True)]
    spread = [2.0 * one.expected.deviation for one in told.found]
    yield _chart(titled(spec.objective.name, units), across, means, spread)
    settings = [name for name in told.space.given_names if name not in names]
    drawn = 0
    for name in settings:
        line = [
            (place, value)
            for place, one in zip(places, told.found, strict=True)
            if (value := finite_number(one.settings.get(name))) is not None
        ]
        if len(line) < 2 or drawn == DRAWN:
            continue
        drawn += 1
        yield _chart(titled(name, units), across, line)


def _chart(upward: str, across: str, line: Line, spread: Sequence[float] = ()) -> str:
    """A line, within a band where it may be off by so much."""
    off = spread or [0.0] * len(line)
    lows = [value - by for (_, value), by in zip(line, off, strict=True)]
    highs = [value + by for (_, value), by in zip(line, off, strict=True)]
    low, high = min(lows), max(highs)
    margin = _MARGIN * (high - low) or abs(high) * _MARGIN or 1.0
    plot = Plot(line[0][0], line[-1][0], ValueAxis(low - margin, high + margin), _HEIGHT)
    shapes = plot.axes(upward, across, whole=False)
    if spread:
        places = [place for place, _ in line]
        around = [*zip(places, highs, strict=True), *reversed(list(zip(places, lows, strict=True)))]
        shapes.append(f'<polygon points="{_points(plot, around)}" fill="{COLOURS[0]}" fill-opacity="0.15"/>')
    style = f'fill="none" stroke="{COLOURS[0]}" stroke-width="2" stroke-linejoin="round"'
    shapes.append(f'<polyline points="{_points(plot, line)}" {style}/>')
    return document(_HEIGHT, shapes, printable(f"{upward} against {across}."))


def _points(plot: Plot, line: Line) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in (plot.at(*one) for one in line))
