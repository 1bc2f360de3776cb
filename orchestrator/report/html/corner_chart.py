"""Which settings are plausible, each parameter by itself and every two together, as SVG.

Notation: d parameters, S draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter, gaussian_filter1d

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.report.html.charts import (
    COLOURS,
    INK,
    SOFT,
    WIDTH,
    document,
    label,
    name_on_chart,
    width_on_chart,
)
from orchestrator.values.printable import printable

MOST_DRAWN: Final = 8
"""Parameters: of more no panel could be read."""
CELLS: Final = 30
"""Of a panel, across and down."""
BARS: Final = 24
SMOOTHING: Final = 1.0
"""Of the draws in cells, in cells."""
SHARES: Final = (0.95, 0.68)
"""Of all draws, in the areas that are drawn, the lighter first."""
SHADES: Final = (0.25, 0.65)
BEYOND: Final = 0.15
"""Of what is plausible of a parameter so much more is shown on either side, within its bounds."""
_LEFT, _RIGHT, _TOP, _GAP, _BOTTOM = 104, 12, 8, 10, 44
_LARGEST, _LINE = 220, 14


@dataclass(frozen=True, eq=False, slots=True)
class Axis:
    """Of one parameter, by its ``name`` with its unit: (S,) ``positions`` of draws, that of the ``best``
    trial, and the ends of what is shown, ``low`` and ``high``, in ``words``.
    """

    name: str
    positions: FloatArray
    best: float
    low: float
    high: float
    words: tuple[str, str]

    def share(self, positions: FloatArray) -> FloatArray:
        """Of positions, from 0 at the low end to 1 at the high one."""
        return np.asarray((positions - self.low) / (self.high - self.low))


def shown_ends(positions: FloatArray) -> tuple[float, float]:
    """Of (S,) positions in [0, 1] what is to be shown: all but the outermost draws, and something beside."""
    low, high = np.quantile(positions, (0.002, 0.998)).tolist()
    beside = BEYOND * (high - low) or 0.01
    return max(0.0, low - beside), min(1.0, high + beside)


def corner_chart(axes: Sequence[Axis]) -> str:
    """A panel for each parameter on the diagonal, and below it one for every two: dark where 68 % of the
    draws lie, and light where 95 % do; lines and dots where the best trial is.
    """
    count = len(axes)
    side = min(_LARGEST, (WIDTH - _LEFT - _RIGHT) / count - _GAP)
    shapes = list[str]()
    for down, own in enumerate(axes):
        y = _TOP + down * (side + _GAP)
        for across, other in enumerate(axes[: down + 1]):
            x = _LEFT + across * (side + _GAP)
            alone = across == down
            shapes += _bars(own, x, y, side) if alone else _areas(other, own, x, y, side)
            shapes.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" fill="none"'
                f' stroke="{SOFT}" stroke-width="0.7"/>'
            )
        if down:
            low, high = own.words
            shapes += [
                label(_LEFT - 8, y + side, low, "end", SOFT),
                label(_LEFT - 8, y + 10, high, "end", SOFT),
                label(_LEFT - 8, y + side / 2 + 4, name_on_chart(own.name, _LEFT - 8), "end", INK),
            ]
    bottom = _TOP + count * (side + _GAP) - _GAP
    # What does not fit beside one another stands one below the other.
    crowded = any(sum(map(width_on_chart, own.words)) + _GAP > side for own in axes)
    lower = _LINE if crowded else 0
    for across, own in enumerate(axes):
        x = _LEFT + across * (side + _GAP)
        low, high = own.words
        shapes += [
            label(x, bottom + 15, low, "start", SOFT),
            label(x + side, bottom + 15 + lower, high, "end", SOFT),
            label(x + side / 2, bottom + 32 + lower, name_on_chart(own.name, side), "middle", INK),
        ]
    names = ", ".join(own.name for own in axes)
    return document(
        round(bottom + _BOTTOM + lower), shapes, printable(f"Which settings are plausible: {names}.")
    )


def _bars(own: Axis, x: float, y: float, side: float) -> Iterator[str]:
    """How plausible each value is by itself, and where 68 % of it are."""
    counts, edges = np.histogram(own.positions, BARS, (own.low, own.high))
    heights = gaussian_filter1d(counts.astype(float), SMOOTHING / 2.0)
    heights *= 0.92 * side / (heights.max() or 1.0)
    low, high = np.quantile(own.positions, (0.16, 0.84))
    # Of whole numbers and listed values an end is one of them, and not between two bars.
    is_inside = (edges[1:] >= low) & (edges[:-1] <= high)
    width = side / BARS
    for inside, shade in ((False, SHADES[0]), (True, SHADES[1])):
        parts = [
            f"M{x + k * width:.1f},{y + side:.1f}v{-heights[k]:.1f}h{width:.1f}v{heights[k]:.1f}z"
            for k in np.flatnonzero(is_inside == inside)
        ]
        if parts:
            yield f'<path d="{"".join(parts)}" fill="{COLOURS[0]}" fill-opacity="{shade}"/>'
    at = float(own.share(np.array([own.best]))[0])
    if 0.0 <= at <= 1.0:
        yield f'<path d="M{x + at * side:.1f},{y:.1f}v{side:.1f}" stroke="{COLOURS[1]}" stroke-width="1.5"/>'


def _areas(across: Axis, down: Axis, x: float, y: float, side: float) -> Iterator[str]:
    """Where the draws of two parameters lie."""
    spans = ((across.low, across.high), (down.low, down.high))
    counts, _, _ = np.histogram2d(across.positions, down.positions, CELLS, spans)
    density = gaussian_filter(counts, SMOOTHING)
    # Of the densest cells as many as hold so much of all.
    ranked = np.sort(density.ravel())[::-1]
    held = np.cumsum(ranked) / (ranked.sum() or 1.0)
    for share, shade in zip(SHARES, SHADES, strict=True):
        least = ranked[min(int(np.searchsorted(held, share)), len(ranked) - 1)]
        drawn = "".join(_rows((density >= least) & (density > 0.0), x, y, side / CELLS))
        yield f'<path d="{drawn}" fill="{COLOURS[0]}" fill-opacity="{shade}"/>'
    at = [float(one.share(np.array([one.best]))[0]) for one in (across, down)]
    if all(0.0 <= one <= 1.0 for one in at):
        cx, cy = x + at[0] * side, y + (1.0 - at[1]) * side
        yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3.5" fill="{COLOURS[1]}"/>'


def _rows(inside: BoolArray, x: float, y: float, cell: float) -> Iterator[str]:
    """The cells that are ``inside``, (across, down), as rectangles of whole rows of neighbours."""
    count = len(inside)
    for row in range(count):
        column = 0
        for is_inside, run in groupby(inside[:, row].tolist()):
            length = len(list(run))
            if is_inside:
                left, top = x + column * cell, y + (count - 1 - row) * cell
                yield f"M{left:.1f},{top:.1f}h{length * cell:.1f}v{cell:.1f}h{-length * cell:.1f}z"
            column += length
