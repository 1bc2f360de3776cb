"""Where good values lie: every trial's value against each of its parameters, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from orchestrator.report.html.charts import COLOURS, FAINT, INK, SOFT, WIDTH, document, label
from orchestrator.report.html.parameter_axis import marks_along, share_along, titled_on_chart
from orchestrator.report.html.value_axis import ValueAxis, shown_axis
from orchestrator.spec.sections.parameters import ChoiceParameter, Varying
from orchestrator.values.named import Values
from orchestrator.values.printable import printable

Valued = tuple[Values, float]
"""A trial's parameters and its value."""
Expected = tuple[Any, float, float]
"""A parameter's value, what a model expects there, and two deviations of that."""

DOTS: Final = 400
"""Trials in each panel; beyond it, evenly chosen ones."""
_ACROSS: Final = 3
_WIDE: Final = WIDTH // _ACROSS
_DEEP, _SIDE, _TOP, _BOTTOM = 168, 18, 26, 24


@dataclass(frozen=True)
class Dots:
    """A dot a trial, small for those ``elsewhere``, where no best one is; marked are the best one and the
    ``others`` that are good for something else.
    """

    trials: Sequence[Valued]
    best: Valued
    others: Sequence[Valued] = ()
    elsewhere: Sequence[Valued] = ()

    @property
    def axis(self) -> ValueAxis:
        """That of the chart of the best so far, and of all that is marked."""
        values = [value for _, value in (*self.trials, *self.elsewhere)]
        return shown_axis(self.best[1], values, [value for _, value in self.others])

    def thinned(self) -> Dots:
        """With so few that they can be told apart."""
        shown, small = (of[:: max(1, math.ceil(len(of) / DOTS))] for of in (self.trials, self.elsewhere))
        return Dots(shown, self.best, self.others, small)


def parameter_chart(
    parameters: Mapping[str, Varying],
    dots: Dots,
    objective: str,
    expected: Mapping[str, Sequence[Expected]] = {},
) -> str:
    """A panel for each parameter, from its lowest value to its highest, with its dots. What is ``expected``
    along a parameter is a line in a band, or a mark for each choice.

    Values go upwards; what lies beyond the range of the dots is at its edge.
    """
    axis, shown = dots.axis, dots.thinned()
    shapes: list[str] = []
    for index, (name, parameter) in enumerate(parameters.items()):
        left, top = _WIDE * (index % _ACROSS) + _SIDE, _DEEP * (index // _ACROSS) + _TOP
        panel = _Panel(name, parameter, left, top, axis)
        shapes += panel.shapes(shown, expected.get(name, ()))
    described = f"{axis.named(objective)} against {', '.join(map(printable, parameters))}."
    return document(_DEEP * math.ceil(len(parameters) / _ACROSS), shapes, described)


@dataclass(frozen=True)
class _Panel:
    name: str
    parameter: Varying
    left: float
    top: float
    axis: ValueAxis
    wide: float = _WIDE - 2 * _SIDE
    deep: float = _DEEP - _TOP - _BOTTOM

    def shapes(self, dots: Dots, expected: Sequence[Expected]) -> Iterator[str]:
        frame = f'x="{self.left}" y="{self.top}" width="{self.wide}" height="{self.deep}"'
        yield f'<rect {frame} fill="none" stroke="{FAINT}"/>'
        yield label(self.left, self.top - 8, titled_on_chart(self.name, self.parameter), "start", INK)
        for share, words, anchor in marks_along(self.parameter):
            yield label(self.left + share * self.wide, self.top + self.deep + 16, words, anchor, SOFT)
        yield from (
            self._choices(expected) if isinstance(self.parameter, ChoiceParameter) else self._line(expected)
        )
        for of, wide in ((dots.elsewhere, 2.5), (dots.trials, 5)):
            if path := "".join(f"M{x:g},{y:g}h0" for x, y in filter(None, map(self._at, of))):
                stroke = (
                    f'stroke="{SOFT}" stroke-opacity="0.55" stroke-width="{wide:g}" stroke-linecap="round"'
                )
                yield f'<path d="{path}" {stroke}/>'
        for x, y in filter(None, map(self._at, [*dots.others, dots.best])):
            circle = f'cx="{x:g}" cy="{y:g}" r="4.5" stroke="#fff" stroke-width="1.5"'
            yield f'<circle {circle} fill="{COLOURS[0]}"/>'

    def _line(self, expected: Sequence[Expected]) -> Iterator[str]:
        middle, above, below = self._traced(expected)
        if len(middle) > 1:
            band = " ".join(f"{x:g},{y:g}" for x, y in [*above, *reversed(below)])
            yield f'<polygon points="{band}" fill="{COLOURS[1]}" fill-opacity="0.15"/>'
            line = " ".join(f"{x:g},{y:g}" for x, y in middle)
            yield f'<polyline points="{line}" fill="none" stroke="{COLOURS[1]}" stroke-width="2"/>'

    def _choices(self, expected: Sequence[Expected]) -> Iterator[str]:
        half = 0.3 * self.wide / max(1, len(expected))
        for (x, y), (_, top), (_, bottom) in zip(*self._traced(expected), strict=True):
            box = f'x="{x - half:g}" y="{top:g}" width="{2 * half:g}" height="{bottom - top:g}"'
            yield f'<rect {box} fill="{COLOURS[1]}" fill-opacity="0.15"/>'
            yield f'<path d="M{x - half:g},{y:g}h{2 * half:g}" stroke="{COLOURS[1]}" stroke-width="2"/>'

    def _traced(self, expected: Sequence[Expected]) -> list[list[tuple[float, float]]]:
        """What is expected, and the ends of its band."""
        traced = [
            [self._at(({self.name: value}, mean + side * band)) for value, mean, band in expected]
            for side in (0.0, 1.0, -1.0)
        ]
        return [[point for point in points if point is not None] for points in traced]

    def _at(self, trial: Valued) -> tuple[float, float] | None:
        share = share_along(self.parameter, trial[0].get(self.name))
        if share is None:
            return None
        up = self.axis.share(self.axis.within(trial[1]))
        return round(self.left + share * self.wide, 1), round(self.top + (1 - up) * self.deep, 1)
