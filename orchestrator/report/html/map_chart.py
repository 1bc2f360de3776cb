"""A square of two parameters, with a shade for each of its cells and dots of trials, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.parameters.kinds import FloatParameter
from orchestrator.report.html.charts import COLOURS, FAINT, INK, SOFT, WIDTH, document, label, name_on_chart
from orchestrator.report.words.wording import number
from orchestrator.values.named import Values
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.parameters.space import Parameter

Dot = tuple[Values, bool]
"""A trial's settings, and whether its dot is full."""
_LEFT, _RIGHT, _TOP, _BOTTOM, _DEEP = 110, 16, 20, 44, 340
DOTS: Final = 400
"""Trials that are drawn, the newest."""
FEW: Final = 6
"""Cells of a side, each of which has its value beside it."""


@dataclass(frozen=True, eq=False, slots=True)
class Side:
    """A parameter, and the (k,) ``positions`` in [0, 1] of its cells, ascending, where these are not the
    middles of equal parts.
    """

    parameter: Parameter
    positions: FloatArray | None = None

    @classmethod
    def of(cls, parameter: Parameter, positions: FloatArray) -> Side:
        """Of cells at these positions."""
        middles = (np.arange(len(positions)) + 0.5) / len(positions)
        many = len(positions) > FEW and np.allclose(positions, middles)
        return cls(parameter, None if many else positions)

    @property
    def title(self) -> str:
        unit = f" ({self.parameter.unit})" if self.parameter.unit else ""
        scale = " (log)" if getattr(self.parameter, "scale", "linear") == "log" else ""
        return f"{self.parameter.name}{unit}{scale}"

    @property
    def is_named(self) -> bool:
        """Whether each cell has its value beside it."""
        return self.positions is not None and len(self.positions) <= FEW

    def share(self, value: object) -> float:
        """How far along a value lies; of those that have cells of their own, in the middle of that."""
        share = min(1.0, max(0.0, float(self.parameter.encode(value))))
        if self.positions is None:
            return share
        return (int(np.argmin(np.abs(self.positions - share))) + 0.5) / len(self.positions)

    def marks(self, room: float) -> list[tuple[float, str]]:
        """Which values lie how far along, in ``room`` pixels each: the first and the last, or all."""
        if self.positions is None or not self.is_named:
            return [(0.0, self._words(0.0, room)), (1.0, self._words(1.0, room))]
        cells = len(self.positions)
        return [((i + 0.5) / cells, self._words(float(at), room)) for i, at in enumerate(self.positions)]

    def _words(self, share: float, room: float) -> str:
        value = self.parameter.decode(share)
        if share == 1.0 and isinstance(self.parameter, FloatParameter):
            # Of one that comes round it is the lower end, with which the chart begins.
            value = float(self.parameter.high)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return number(value, 4) if is_number else name_on_chart(str(value), room)


def map_chart(shades: FloatArray, across: Side, down: Side, dots: Iterable[Dot], described: str) -> str:
    """(m, k) ``shades`` from 0 to 1, of m cells of one parameter, upwards, and k of the other; NaN where
    there is nothing to show. ``described`` is what it says to whoever cannot see it.
    """
    wide, deep = WIDTH - _LEFT - _RIGHT, _DEEP - _TOP - _BOTTOM
    rows, columns = shades.shape
    shapes = []
    width, height = f"{wide / columns + 0.3:.1f}", f"{deep / rows + 0.3:.1f}"
    for place, shade in enumerate(shades.ravel().tolist()):
        row, column = divmod(place, columns)
        x, y = _LEFT + column * wide / columns, _TOP + (rows - 1 - row) * deep / rows
        corner = f'x="{x:.1f}" y="{y:.1f}" width="{width}" height="{height}"'
        nowhere = f'fill="{FAINT}"'
        shaded = f'fill="{COLOURS[0]}" fill-opacity="{0.85 * shade:.2f}"'
        shapes.append(f"<rect {corner} {nowhere if math.isnan(shade) else shaded}/>")
    frame = f'x="{_LEFT}" y="{_TOP}" width="{wide}" height="{deep}"'
    shapes.append(f'<rect {frame} fill="none" stroke="{SOFT}"/>')
    for settings, is_full in dots:
        if across.parameter.name not in settings or down.parameter.name not in settings:
            continue
        x = _LEFT + wide * across.share(settings[across.parameter.name])
        y = _TOP + deep * (1.0 - down.share(settings[down.parameter.name]))
        fill = INK if is_full else "#fff"
        shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" stroke="{INK}"/>')
    for share, words in across.marks(wide / FEW):
        anchor = {0.0: "start", 1.0: "end"}.get(share, "middle")
        shapes.append(label(_LEFT + share * wide, _TOP + deep + 16, words, anchor, SOFT))
    for share, words in down.marks(_LEFT - 8):
        y = {0.0: _TOP + deep, 1.0: _TOP + 10}.get(share, _TOP + deep * (1.0 - share) + 4)
        shapes.append(label(_LEFT - 8, y, words, "end", SOFT))
    # Between the two ends, or above the names of all cells.
    middle = _TOP - 4 if down.is_named else _TOP + deep / 2
    shapes += [
        label(_LEFT + wide / 2, _TOP + deep + 32, name_on_chart(across.title), "middle", INK),
        label(_LEFT - 8, middle, name_on_chart(down.title, _LEFT - 8), "end", INK),
    ]
    return document(_DEEP, shapes, printable(described))
