"""The charts of a run's page, as SVG: the best value so far, and the weights of an ensemble."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from orchestrator.report.html.value_axis import ValueAxis, marks, shown_axis
from orchestrator.report.words.wording import number_beside, shortened
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

Step = tuple[int, float]
"""A number of trials, and a value."""

COLOURS: Final = ("#2563c9", "#e07a1f", "#2f9e62", "#8b5cc4", "#c2417c", "#0f8b8d", "#a17c1b", "#5b6770")
DASHES: Final = ("", "6 4", "2 3", "10 3 2 3")
"""Of lines, in turn, where colours come again."""
INK, SOFT, FAINT, RED = "#1f2933", "#6b7683", "#e4e7eb", "#d13438"
WIDTH: Final = 760
DOTS: Final = 2_000
"""Trials drawn as dots; beyond it, evenly chosen ones, and the newest."""
COLUMNS: Final = 300
"""Asks whose weights are drawn."""
LONGEST: Final = 30
"""Characters of a name, and of all choices of a parameter together."""
CHARACTER, WIDE_CHARACTER = 6.3, 7.5
"""Pixels of one, about, in words 12 high, and of one of words that are mostly wide."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 16, 14, 40


def best_chart(
    curve: Sequence[Step],
    trials: Sequence[Step],
    failed: Sequence[int],
    stopped: Sequence[int],
    objective: str,
    elsewhere: Sequence[Step] = (),
    reference: float | None = None,
) -> str:
    """Every completed trial as a dot, failed and stopped ones as marks below, the best so far as a line, and
    what it is measured against as a dashed one.

    Args:
        curve: the best values, each with the number of settled trials when it came.
        trials: the completed trials' places and values.
        failed: the failed trials' places.
        stopped: the places of those that were stopped early.
        objective: its name.
        elsewhere: the places and values of those where no best one is, whose dots are small.
        reference: the value that the best, or every value, is measured against, if there is one.
    """
    height = 300
    last = max(*(place for place, _ in (*curve, *trials, *elsewhere)), *failed, *stopped, 1)
    best = curve[-1][1] if curve else None
    axis = shown_axis(
        best, [value for _, value in (*trials, *elsewhere)], [] if reference is None else [reference]
    )
    plot = Plot(0, last, axis, height)
    shapes = plot.axes(objective, "trials")
    small, outside_of_small = _dots(plot, elsewhere, 1.5)
    dots, outside_of_dots = _dots(plot, trials, 3)
    shapes += small + dots
    for place, _ in _thinned([(place, 0.0) for place in failed]):
        x, y = plot.at(place, axis.low)
        shapes.append(cross(x, y + 6))
    for place, _ in _thinned([(place, 0.0) for place in stopped]):
        x, y = plot.at(place, axis.low)
        shapes.append(f'<path d="M{x:g},{y + 3:g}v6" stroke="{SOFT}" stroke-width="2" fill="none"/>')
    if curve:
        shapes.append(_best_line(plot, curve, last))
    if reference is not None:
        (x, y), (end, _) = (plot.at(at, axis.within(reference)) for at in (0, last))
        dashed = f'stroke="{SOFT}" stroke-width="1.5" stroke-dasharray="6 4" fill="none"'
        shapes.append(f'<path d="M{x:g},{y:g}H{end:g}" {dashed}/>')
    if outside := outside_of_small + outside_of_dots:
        words = f"{outside} outside the range shown: rings at its edge"
        shapes.append(label(WIDTH - _RIGHT, height - 6, words, "end", SOFT))
    before = curve[-2][1] if len(curve) > 1 else None
    told = "" if best is None else f"; the best so far is {number_beside(best, before)}"
    return document(height, shapes, f"{objective} by trial{told}.")


def _dots(plot: Plot, trials: Sequence[Step], radius: float) -> tuple[list[str], int]:
    """One for each, in rings at the edge those outside the range shown; and how many these are."""
    axis, outside = plot.axis, 0
    shapes: list[str] = []
    for place, value in _thinned(trials):
        beyond = not axis.low <= value <= axis.high
        outside += beyond
        x, y = plot.at(place, axis.within(value))
        style = f'fill="none" stroke="{SOFT}"' if beyond else f'fill="{SOFT}" fill-opacity="0.55"'
        shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {style}/>')
    return shapes, outside


def _best_line(plot: Plot, curve: Sequence[Step], last: int) -> str:
    """The best value so far: level until the next, and from the last one to the ``last`` trial."""
    points: list[tuple[float, float]] = []
    for place, value in curve:
        shown = plot.at(place, plot.axis.within(value))
        if points:
            points.append((shown[0], points[-1][1]))
        points.append(shown)
    points.append((plot.at(last, plot.axis.low)[0], points[-1][1]))
    line = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<polyline points="{line}" fill="none" stroke="{COLOURS[0]}" stroke-width="2.5" '
        'stroke-linejoin="round"/>'
    )


def weights_chart(history: Sequence[tuple[int, Mapping[str, float]]]) -> str:
    """The weights of the ensemble's members when each point was chosen: bands from 0 to 1, named below."""
    step = max(1, math.ceil(len(history) / COLUMNS))
    shown = [*history[:-1:step], history[-1]]
    last = shown[-1][1]
    names = sorted({name for _, weights in shown for name in weights}, key=lambda n: (-last.get(n, 0.0), n))
    alone = len(names) <= len(COLOURS)
    kept, others = (names, []) if alone else (names[: len(COLOURS) - 1], names[len(COLOURS) - 1 :])
    plot = Plot(shown[0][0], max(shown[-1][0], shown[0][0] + 1), ValueAxis(0.0, 1.0), 220)
    shapes: list[str] = []
    base = [0.0] * len(shown)
    bands = [(name, [weights.get(name, 0.0) for _, weights in shown]) for name in kept]
    if others:
        rest = [sum(weights.get(name, 0.0) for name in others) for _, weights in shown]
        bands.append((f"{len(others)} others", rest))
    for colour, (_, band) in zip(COLOURS, bands, strict=False):
        top = [low + share for low, share in zip(base, band, strict=True)]
        edge = [plot.at(place, y) for (place, _), y in zip(shown, top, strict=True)]
        back = [plot.at(place, y) for (place, _), y in zip(shown, base, strict=True)]
        points = " ".join(f"{x:g},{y:g}" for x, y in [*edge, *reversed(back)])
        shapes.append(f'<polygon points="{points}" fill="{colour}" fill-opacity="0.8"/>')
        base = top
    legend = [f"{name}, {percentage(band[-1])} at last" for name, band in bands]
    named, rows = legend_below(legend, 238)
    shapes += named
    height = 232 + 20 * rows
    shapes += plot.axes("weight", "trials chosen", over=True)
    told = ", ".join(f"{name} {percentage(band[-1])}" for name, band in bands)
    return document(height, shapes, f"The ensemble's weights; at last: {told}.")


class Plot:
    """The plane of a chart, in trials across and values up."""

    def __init__(self, left: float, right: float, axis: ValueAxis, height: int) -> None:
        self.left, self.right, self.axis, self.height = left, right, axis, height
        self.marks = axis.marks()
        self.margin = max(_LEFT, 28 + CHARACTER * max(len(words) for _, words in self.marks))

    def at(self, place: float, value: float) -> tuple[float, float]:
        across = (place - self.left) / ((self.right - self.left) or 1)
        bottom = self.height - _BOTTOM
        return (
            round(self.margin + across * (WIDTH - self.margin - _RIGHT), 2),
            round(bottom - self.axis.share(value) * (bottom - _TOP), 2),
        )

    def axes(self, upward: str, across: str, *, over: bool = False, whole: bool = True) -> list[str]:
        """Grid lines with their values; ``over`` a filled chart only the values. What lies across is counted,
        ``whole``, or measured.
        """
        shapes = []
        for value, words in self.marks:
            x, y = self.at(self.left, value)
            if not over:
                line = f'x1="{self.margin:g}" x2="{WIDTH - _RIGHT}" y1="{y:g}" y2="{y:g}"'
                shapes.append(f'<line {line} stroke="{FAINT}"/>')
            shapes.append(label(x - 8, y + 4, words, "end", SOFT))
        for value, measured in marks(self.left, self.right):
            if not whole or value == int(value):
                x, y = self.at(value, self.axis.low)
                words = f"{int(value)}" if whole else measured
                # Below the marks of failed trials, and not cut off at the edge.
                within = min(x, WIDTH - 1 - CHARACTER / 2 * len(words))
                shapes.append(label(within, y + 21, words, "middle", SOFT))
        bottom = self.height - _BOTTOM
        shapes.append(label((self.margin + WIDTH - _RIGHT) / 2, bottom + 34, across, "middle", SOFT))
        middle = (_TOP + bottom) / 2
        upward = self.axis.named(upward, math.floor(2 * middle / CHARACTER))
        shapes.append(
            f'<text x="14" y="{middle:g}" transform="rotate(-90 14 {middle:g})" text-anchor="middle" '
            f'fill="{SOFT}" font-size="12">{escape(upward)}</text>'
        )
        return shapes


def colour_of(index: int) -> str:
    """Of the so-manieth of some lines; after the last colour the first comes again."""
    return COLOURS[index % len(COLOURS)]


def dashes_of(index: int) -> str:
    """How a line is dashed that is told from others of its colour by that, as an attribute; else empty."""
    dashes = DASHES[index // len(COLOURS) % len(DASHES)]
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def legend_below(legend: Sequence[str], top: int) -> tuple[list[str], int]:
    """What each colour of a chart stands for, from a height on, and in how many rows that is; colours that
    come again are those of a line that is dashed.
    """
    across = _columns(legend)
    shapes: list[str] = []
    for index, words in enumerate(legend):
        x = _LEFT + index % across * (WIDTH - _LEFT - _RIGHT) / across
        y = top + 20 * (index // across)
        colour, dashes = colour_of(index), dashes_of(index)
        if dashes:
            shapes.append(f'<path d="M{x - 14:g},{y - 4}h26" stroke="{colour}" stroke-width="2.5"{dashes}/>')
        else:
            shapes.append(f'<rect x="{x:g}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
        shapes.append(label(x + 16, y, words, "start", INK))
    return shapes, math.ceil(len(legend) / across)


def _columns(legend: Sequence[str]) -> int:
    """In how many columns, three at most, the entries of a legend lie without touching."""
    widest = 30 + CHARACTER * max(map(len, legend), default=0)
    return min(3, max(1, math.floor((WIDTH - _LEFT - _RIGHT) / widest)))


def _thinned(trials: Sequence[Step]) -> Sequence[Step]:
    step = max(1, math.ceil(len(trials) / DOTS))
    return trials if step == 1 else [*trials[:-1:step], trials[-1]]


def cross(x: float, y: float) -> str:
    """A red one with its middle at a place."""
    return f'<path d="M{x - 3:g},{y - 3:g}l6,6m0,-6l-6,6" stroke="{RED}" stroke-width="1.5" fill="none"/>'


def name_on_chart(name: str, room: float = math.inf) -> str:
    """A name that a chart has room for, in pixels, whatever it holds."""
    return shortened(printable(name), int(min(LONGEST, max(room / WIDE_CHARACTER, 4))))


def width_on_chart(words: str) -> float:
    """About how many pixels words take."""
    return CHARACTER * len(words)


def label(x: float, y: float, words: str, anchor: str, colour: str) -> str:
    """Words that start, end or have their middle at a place."""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}" font-size="12">'
        f"{escape(words)}</text>"
    )


def document(height: int, shapes: Sequence[str], described: str) -> str:
    """The whole SVG, as wide as a page; ``described`` is what it says to whoever cannot see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" font-family="system-ui, DejaVu Sans, sans-serif">'
        f"<title>{escape(described)}</title>{''.join(shapes)}</svg>"
    )
