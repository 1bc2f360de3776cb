"""Two objectives against each other: axes, the trials in them, and the edge of what some attain."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from typing import Final, Literal, TypeAlias

from orchestrator.objectives import SIGNS, Goal
from orchestrator.report.html.charts import CHARACTER, COLOURS, FAINT, SOFT, WIDTH, label
from orchestrator.report.html.value_axis import marks
from orchestrator.report.words.wording import number, shortened
from orchestrator.values.printable import printable

Kind: TypeAlias = Literal["trade-off", "beaten", "elsewhere", "cheap", "breaking", "in doubt"]
RINGS: Final = ("elsewhere", "cheap", "breaking", "in doubt")
Place: TypeAlias = tuple[float, float]

DOTS: Final = 2_000
"""Trials besides the front's that are drawn in a panel; beyond it, evenly chosen ones."""
NUMBERED: Final = 12
"""Trade-offs, at most, that have their numbers beside them."""
LONGEST: Final = 26
"""Characters of an objective's name."""
SHARE_SHOWN: Final = 0.9
"""Of the values of all trials, the better ones, and all of the front's, make the range that is shown."""
AROUND: Final = 2.0
"""How far around the front is shown at most, in its own widths: it takes a fifth of an axis at least."""
MARGIN: Final = 16
"""Pixels to the right of a panel."""
FIRST: Final = f'stroke="{COLOURS[0]}"'
"""How an edge is drawn, unless somebody says otherwise."""
_WIDE_HIGH, _HIGH = 420, 300
_TOP, _BOTTOM = 18, 46


@dataclass(frozen=True, slots=True)
class Dot:
    """A trial with its objectives, in their order; what it is called, and what it is."""

    name: str
    objectives: Sequence[float]
    kind: Kind


def panels_of(axes: Sequence[Axis]) -> tuple[list[tuple[Panel, int, int]], int]:
    """A panel for each pair of two to four objectives, the earlier one across and the later one upwards, with
    which two these are; and how high all of them are.
    """
    chosen = list(combinations(range(len(axes)), 2))
    columns = min(2, len(chosen))
    wide, high = WIDTH / columns, _WIDE_HIGH if columns == 1 else _HIGH
    found = [
        (
            Panel(axes[one], axes[other], wide * (index % columns), high * (index // columns), (wide, high)),
            one,
            other,
        )
        for index, (one, other) in enumerate(chosen)
    ]
    return found, high * math.ceil(len(chosen) / columns)


def staircase(places: Sequence[Place], signs: Place) -> list[Place]:
    """The corners of the edge of what some points attain: those that none of them beats, in order across, and
    between each two the worse of both. ``signs`` are 1 where more is better, -1 where less is.
    """
    ranked = sorted(set(places), key=lambda place: (-signs[0] * place[0], -signs[1] * place[1]))
    corners: list[Place] = []
    for place in ranked:
        if corners and signs[1] * place[1] <= signs[1] * corners[-1][1]:
            continue
        if corners:
            corners.append((place[0], corners[-1][1]))
        corners.append(place)
    return corners


@dataclass(frozen=True, slots=True)
class Axis:
    """An objective from the lowest value shown to the highest."""

    name: str
    goal: Goal
    low: float
    high: float

    @classmethod
    def of(cls, name: str, goal: Goal, told: Sequence[tuple[float, Kind]]) -> Axis:
        """Of all of the front and the better nine tenths of the rest, as far as these lie no farther from it
        than it is wide, `AROUND` times: it is what is looked at.
        """
        values = sorted((value for value, _ in told), reverse=goal == "maximise")
        kept = values[: max(1, math.ceil(SHARE_SHOWN * len(values)))]
        front = [value for value, kind in told if kind == "trade-off"]
        kept += front
        low, high = min(kept), max(kept)
        if (around := AROUND * 2.0 * (max(front) / 2 - min(front) / 2)) > 0.0:
            low, high = max(low, min(front) - around), min(high, max(front) + around)
        # Halved first: the range of the largest floats overflows.
        margin = 0.08 * (high / 2 - low / 2) or abs(low) * 0.1 or 1.0
        return cls(name, goal, max(low - margin, -1.7e308), min(high + margin, 1.7e308))

    @property
    def title(self) -> str:
        return f"{self.goal} {shortened(printable(self.name), LONGEST)}"

    @property
    def sign(self) -> float:
        return SIGNS[self.goal]

    @property
    def worst(self) -> float:
        return self.low if self.goal == "maximise" else self.high

    def share(self, value: float) -> float:
        """How far along a value lies, 0 to 1; at an end what lies beyond."""
        value = min(max(value, self.low), self.high)
        return (value / 2 - self.low / 2) / ((self.high / 2 - self.low / 2) or 1)


class Panel:
    """Two objectives against each other, with its upper left corner at a place of the chart."""

    def __init__(self, across: Axis, upward: Axis, left: float, top: float, size: Place) -> None:
        self.across, self.upward = across, upward
        self.upward_marks = marks(upward.low, upward.high)
        longest = max((len(words) for _, words in self.upward_marks), default=0)
        self.title_at = left + 14
        self.left, self.right = left + max(60, 38 + CHARACTER * longest), left + size[0] - MARGIN
        self.top, self.bottom = top + _TOP, top + size[1] - _BOTTOM

    def at(self, place: Place) -> Place:
        x = self.left + self.across.share(place[0]) * (self.right - self.left)
        return round(x, 1), round(self.bottom - self.upward.share(place[1]) * (self.bottom - self.top), 1)

    def inside(self, place: Place) -> bool:
        axes = (self.across, self.upward)
        return all(axis.low <= value <= axis.high for axis, value in zip(axes, place, strict=True))

    def shapes(self, dots: Sequence[tuple[Dot, Place]], *, alone: bool) -> Iterator[str]:
        yield from self.axes()
        muted = f'fill="none" stroke="{SOFT}" stroke-opacity="0.5"'
        yield from self._small([place for dot, place in dots if dot.kind in RINGS], muted)
        beaten = f'fill="{SOFT}" fill-opacity="0.55"'
        yield from self._small([place for dot, place in dots if dot.kind == "beaten"], beaten)
        front = [(dot, place) for dot, place in dots if dot.kind == "trade-off"]
        yield self.edge([place for _, place in front])
        for dot, place in front:
            yield self.marked(dot, place, 5.0 if alone else 4.0)
            if alone and len(front) <= NUMBERED:
                yield self._number(dot, place)

    def _small(self, places: Sequence[Place], style: str) -> Iterator[str]:
        for place in places[:: max(1, math.ceil(len(places) / DOTS))]:
            x, y = self.at(place)
            yield f'<circle cx="{x:g}" cy="{y:g}" r="3" {style}/>'

    def edge(self, front: Sequence[Place], style: str = "", title: str = "") -> str:
        """Of what these attain; in the first colour, unless a ``style`` says another. ``title`` is told where
        somebody points at it.
        """
        corners = staircase(front, (self.across.sign, self.upward.sign))
        # Whatever is worse in one objective is attained as well: the edge goes on to the panel's.
        ends = [(corners[0][0], self.upward.worst), *corners, (self.across.worst, corners[-1][1])]
        line = " ".join(f"{x:g},{y:g}" for x, y in map(self.at, ends))
        drawn = f'points="{line}" fill="none" stroke-width="1.5" {style or FIRST}'
        return (
            f"<polyline {drawn}><title>{escape(title)}</title></polyline>"
            if title
            else f"<polyline {drawn}/>"
        )

    def marked(self, dot: Dot, place: Place, radius: float, colour: str = COLOURS[0]) -> str:
        """A trade-off, with what it is called and comes to where somebody points at it."""
        x, y = self.at(place)
        told = ", ".join(
            f"{printable(axis.name)} {number(value, 6)}"
            for axis, value in zip((self.across, self.upward), place, strict=True)
        )
        circle = f'cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}" stroke="#fff" stroke-width="1.5"'
        return f"<circle {circle}><title>{escape(dot.name)}: {escape(told)}</title></circle>"

    def _number(self, dot: Dot, place: Place) -> str:
        """On the side where nothing lies: that of what would be better still."""
        x, y = self.at(place)
        right, up = self.across.sign > 0, self.upward.sign > 0
        return label(
            x + (7 if right else -7), y + (-6 if up else 15), dot.name, "start" if right else "end", SOFT
        )

    def axes(self) -> Iterator[str]:
        """Their marks and titles."""
        for value, words in self.upward_marks:
            _, y = self.at((self.across.low, value))
            line = f'x1="{self.left:g}" x2="{self.right:g}" y1="{y:g}" y2="{y:g}"'
            yield f'<line {line} stroke="{FAINT}"/>'
            yield label(self.left - 8, y + 4, words, "end", SOFT)
        told = marks(self.across.low, self.across.high)
        room = (self.right - self.left) / (
            CHARACTER * (2 + max((len(words) for _, words in told), default=0))
        )
        for value, words in told[:: max(1, math.ceil(len(told) / max(1.0, room)))]:
            x, _ = self.at((value, self.upward.low))
            line = f'x1="{x:g}" x2="{x:g}" y1="{self.top:g}" y2="{self.bottom:g}"'
            yield f'<line {line} stroke="{FAINT}"/>'
            yield label(x, self.bottom + 17, words, "middle", SOFT)
        yield label((self.left + self.right) / 2, self.bottom + 36, self.across.title, "middle", SOFT)
        x, y = self.title_at, (self.top + self.bottom) / 2
        yield (
            f'<text x="{x:g}" y="{y:g}" transform="rotate(-90 {x:g} {y:g})" text-anchor="middle" '
            f'fill="{SOFT}" font-size="12">{escape(self.upward.title)}</text>'
        )
