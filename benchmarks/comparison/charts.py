"""The comparison's pictures, as SVG: regret curves in small panels, and the performance profile."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from benchmarks.comparison.standing import Runs, curve, least

COLOURS = ("#2563c9", "#e07a1f", "#2f9e62", "#8b5cc4", "#c2417c", "#0f8b8d", "#a17c1b", "#5b6770", "#d13438")
INK, SOFT, FAINT = "#1f2933", "#6b7683", "#e4e7eb"
COLUMNS, WIDTH, HEIGHT = 4, 230, 170
LEGEND_HEIGHT = 44
WORST_RATIO = 1000.0
SHOWN_DECADES = 7.0


@dataclass(frozen=True)
class Axes:
    """A panel whose upper left corner is at (x, y), in pixels: linear or logarithmic on either axis."""

    x: float
    y: float
    width: float
    height: float
    across: tuple[float, float]
    upward: tuple[float, float]
    log_across: bool = False
    log_upward: bool = False

    def at(self, across: float, upward: float) -> tuple[float, float]:
        """A place in pixels; what lies outside is drawn at the edge."""
        right = _share(across, self.across, self.log_across)
        up = _share(upward, self.upward, self.log_upward)
        return round(self.x + right * self.width, 1), round(self.y + (1.0 - up) * self.height, 1)

    def line(self, places: Sequence[tuple[float, float]], colour: str, thick: float) -> str:
        """A staircase through the places, from left to right."""
        points: list[tuple[float, float]] = []
        for across, upward in places:
            shown = self.at(across, upward)
            if points and shown[1] == points[-1][1] and across != places[-1][0]:
                continue
            if points:
                points.append((shown[0], points[-1][1]))
            points.append(shown)
        told = " ".join(f"{x:g},{y:g}" for x, y in points)
        return f'<polyline points="{told}" fill="none" stroke="{colour}" stroke-width="{thick:g}"/>'

    def frame(self, title: str, ticks: Sequence[float], across: Sequence[float]) -> list[str]:
        """Grid lines with their values."""
        shapes = [_text(self.x, self.y - 6, title, "start", INK, bold=True)]
        for value in ticks:
            x, y = self.at(self.across[0], value)
            shapes.append(
                f'<line x1="{x:g}" x2="{x + self.width:g}" y1="{y:g}" y2="{y:g}" stroke="{FAINT}"/>'
            )
            shapes.append(_text(x - 4, y + 4, _plainly(value), "end", SOFT))
        for value in across:
            x, y = self.at(value, self.upward[0])
            shapes.append(_text(x, self.y + self.height + 14, _plainly(value), "middle", SOFT))
        return shapes


def curves_chart(problems: Mapping[str, Runs], algorithms: Sequence[str]) -> str:
    """A panel for each problem: median regret so far, on a log scale, against evaluations."""
    rows = math.ceil(len(problems) / COLUMNS)
    shapes = _legend(algorithms, COLUMNS * WIDTH)
    for index, (name, runs) in enumerate(problems.items()):
        floor = max(least(runs), 1e-300)
        lines = {a: np.maximum(curve(runs[a]), floor) for a in algorithms if a in runs}
        if not lines:
            continue
        high = max(float(line.max()) for line in lines.values())
        low = max(min(float(line.min()) for line in lines.values()), high * 10.0**-SHOWN_DECADES)
        low, high = _decades(low, high)
        budget = len(next(iter(lines.values())))
        axes = Axes(
            (index % COLUMNS) * WIDTH + 46,
            LEGEND_HEIGHT + (index // COLUMNS) * HEIGHT + 22,
            WIDTH - 60,
            HEIGHT - 48,
            (1.0, float(budget)),
            (low, high),
            log_upward=True,
        )
        shapes += axes.frame(name, _powers(low, high), (1, budget // 2, budget))
        # Ours last, above the others.
        for a in reversed([a for a in algorithms if a in lines]):
            places = [(n + 1.0, float(value)) for n, value in enumerate(lines[a])]
            place = algorithms.index(a)
            shapes.append(axes.line(places, COLOURS[place % len(COLOURS)], 2.2 if place == 0 else 1.2))
    return _document(COLUMNS * WIDTH, LEGEND_HEIGHT + rows * HEIGHT, shapes, "Median regret by evaluation.")


def profile_chart(ratios: Mapping[str, Sequence[float]], algorithms: Sequence[str], title: str) -> str:
    """For each algorithm the share of its problems on which it is within a factor of the best."""
    shapes = _legend(algorithms, 760)
    axes = Axes(60, LEGEND_HEIGHT + 26, 680, 300, (1.0, WORST_RATIO), (0.0, 1.0), log_across=True)
    shapes += axes.frame(title, (0.0, 0.25, 0.5, 0.75, 1.0), (1.0, 2.0, 10.0, 100.0, WORST_RATIO))
    shapes.append(_text(400, LEGEND_HEIGHT + 358, "within this factor of the best regret", "middle", SOFT))
    for a in reversed([a for a in algorithms if a in ratios]):
        own = ratios[a]
        places = [(1.0, sum(r <= 1.0 for r in own) / len(own))]
        places += [(r, (k + 1) / len(own)) for k, r in enumerate(own) if 1.0 < r <= WORST_RATIO]
        places.append((WORST_RATIO, places[-1][1]))
        place = algorithms.index(a)
        shapes.append(axes.line(places, COLOURS[place % len(COLOURS)], 2.5 if place == 0 else 1.5))
    told = "; ".join(
        f"{a} is best on {sum(r <= 1.0 for r in own)} of {len(own)}" for a, own in ratios.items()
    )
    return _document(760, LEGEND_HEIGHT + 370, shapes, f"Performance profile: {told}.")


def _legend(algorithms: Sequence[str], width: int) -> list[str]:
    shapes = []
    across = 5
    for index, name in enumerate(algorithms):
        x, y = 10 + (index % across) * (width - 10) / across, 14 + 18 * (index // across)
        ends = f'x1="{x:g}" x2="{x + 18:g}" y1="{y - 4:g}" y2="{y - 4:g}"'
        shapes.append(f'<line {ends} stroke="{COLOURS[index % len(COLOURS)]}" stroke-width="3"/>')
        shapes.append(_text(x + 24, y, name, "start", INK))
    return shapes


def _share(value: float, ends: tuple[float, float], logarithmic: bool) -> float:
    low, high = ends
    inside = min(max(value, low), high)
    if logarithmic:
        return math.log(inside / low) / (math.log(high / low) or 1.0)
    return (inside - low) / ((high - low) or 1.0)


def _decades(low: float, high: float) -> tuple[float, float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return 10.0**first, 10.0 ** max(last, first + 1)


def _powers(low: float, high: float) -> list[float]:
    first, last = round(math.log10(low)), round(math.log10(high))
    step = max(1, math.ceil((last - first) / 4))
    return [10.0**power for power in range(first, last + 1, step)]


def _plainly(value: float) -> str:
    return (
        f"{value:g}"
        if 1e-3 <= value < 1e5 or value == 0.0
        else f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")
    )


def _text(x: float, y: float, words: str, anchor: str, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}" font-size="11"{weight}>'
        f"{escape(words)}</text>"
    )


def _document(width: int, height: int, shapes: Sequence[str], described: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="system-ui, DejaVu Sans, sans-serif">'
        f'<title>{escape(described)}</title><rect width="100%" height="100%" fill="#ffffff"/>'
        f"{''.join(shapes)}</svg>\n"
    )
