"""How several runs came to their best values, as a chart: a line each, and of those that differ in their
seeds alone the median and the quartiles.
"""

from __future__ import annotations

import statistics
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from orchestrator.report.html.charts import Plot, colour_of, dashes_of, document, legend_below
from orchestrator.report.html.value_axis import shown_axis
from orchestrator.report.words.wording import counted
from orchestrator.values.printable import printable

ENOUGH: Final = 3
"""Runs of which a median and quartiles are drawn."""
_HEIGHT: Final = 300


@dataclass(frozen=True, slots=True)
class Line:
    """The best values of a run, called so, each from a place on, in order; and the place that it has come
    to.
    """

    name: str
    steps: Sequence[tuple[float, float]]
    end: float

    def at(self, place: float) -> float:
        """The best value by then. There must be one."""
        return self.steps[bisect_right(self.steps, place, key=lambda step: step[0]) - 1][1]

    def per(self, unit: float) -> Line:
        """With places in another unit."""
        return Line(self.name, [(place / unit, value) for place, value in self.steps], self.end / unit)


@dataclass(frozen=True, slots=True)
class Alike:
    """Runs that differ in their seeds alone, and what they are called together."""

    name: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Middle:
    """At a place, of several runs the quartile below, the median, and the quartile above."""

    place: float
    low: float
    median: float
    high: float


def overlaid_curves(
    groups: Sequence[Alike], objective: str, across: str, *, maximised: bool, whole: bool
) -> str:
    """The chart. There must be a line, and each must have a step.

    Args:
        groups: those drawn in one colour each.
        objective: its name, with its unit.
        across: what places count, ``whole`` numbers or not.
        maximised: whether higher values are better.
    """
    lines = [line for group in groups for line in group.lines]
    values = [value for line in lines for _, value in line.steps]
    best = (max if maximised else min)(values)
    plot = Plot(0, max(line.end for line in lines) or 1, shown_axis(best, values), _HEIGHT)
    shapes = plot.axes(objective, across, whole=whole)
    for index, group in enumerate(groups):
        pen = _Pen(plot, colour_of(index), dashes_of(index))
        middles = list(middles_of(group.lines))
        alone = len(group.lines) == 1
        shapes += pen.band(middles)
        width = 2.2 if alone else 1.0
        shapes += [pen.stairs(line, width, strong=not middles) for line in group.lines]
        if middles:
            steps = [(one.place, one.median) for one in middles]
            shapes.append(pen.stairs(Line(f"{group.name}: median", steps, middles[-1].place), 2.8))
    named, rows = legend_below([group.name for group in groups], _HEIGHT + 18)
    described = f"The best {objective} so far of {counted(len(lines), 'run')}, by {across}."
    return document(_HEIGHT + 12 + 20 * rows, [*shapes, *named], described)


def middles_of(lines: Sequence[Line]) -> Iterator[Middle]:
    """Wherever any of enough runs has a better value, and at the last place, as far as all have come."""
    if len(lines) < ENOUGH:
        return
    begin, end = max(line.steps[0][0] for line in lines), min(line.end for line in lines)
    places = {place for line in lines for place, _ in line.steps if begin <= place <= end}
    for place in sorted({*places, end}) if begin <= end else ():
        quartiles = statistics.quantiles((line.at(place) for line in lines), n=4, method="inclusive")
        yield Middle(place, *quartiles)


@dataclass(frozen=True, slots=True)
class _Pen:
    plot: Plot
    colour: str
    dashes: str

    def stairs(self, line: Line, width: float, *, strong: bool = True) -> str:
        """Whose it is, is told where somebody points at it. A line without length is a dot."""
        corners = self._corners(line.steps, line.end)
        title = f"<title>{escape(printable(line.name))}</title>"
        opacity = 1 if strong else 0.4
        if len(set(corners)) == 1:
            (x, y), *_ = corners
            return (
                f'<circle cx="{x:g}" cy="{y:g}" r="{1.5 * width:g}" fill="{self.colour}" '
                f'fill-opacity="{opacity:g}">{title}</circle>'
            )
        points = " ".join(f"{x:g},{y:g}" for x, y in corners)
        return (
            f'<polyline points="{points}" fill="none" stroke="{self.colour}" stroke-width="{width:g}" '
            f'stroke-opacity="{opacity:g}" stroke-linejoin="round"{self.dashes}>{title}</polyline>'
        )

    def band(self, middles: Sequence[Middle]) -> list[str]:
        """Between the quartiles."""
        if not middles:
            return []
        end = middles[-1].place
        low = self._corners([(one.place, one.low) for one in middles], end)
        high = self._corners([(one.place, one.high) for one in middles], end)
        points = " ".join(f"{x:g},{y:g}" for x, y in [*low, *reversed(high)])
        return [f'<polygon points="{points}" fill="{self.colour}" fill-opacity="0.15"/>']

    def _corners(self, steps: Sequence[tuple[float, float]], end: float) -> list[tuple[float, float]]:
        corners: list[tuple[float, float]] = []
        for place, value in steps:
            x, y = self.plot.at(place, self.plot.axis.within(value))
            corners += [(x, corners[-1][1]), (x, y)] if corners else [(x, y)]
        corners.append((self.plot.at(end, self.plot.axis.low)[0], corners[-1][1]))
        return corners
