"""How much each parameter matters, as SVG: a bar for each, the one with the largest share first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from orchestrator.report.html.charts import (
    COLOURS,
    FAINT,
    INK,
    SOFT,
    WIDE_CHARACTER,
    WIDTH,
    document,
    label,
    name_on_chart,
)
from orchestrator.report.words.wording import counted
from orchestrator.values.percent import percentage

Share = tuple[str, float, float]
"""A parameter, what of the variance it is the reason of alone, and with others: from 0 to 1."""

BARS: Final = 24
_ROW, _TOP, _RIGHT = 24, 8, 56


def shares_chart(shares: Sequence[Share], quantity: str) -> str:
    """Shares in the order given, as many as there is room for: dark what is a parameter's alone, light what
    it does together with others.
    """
    shown = shares[:BARS]
    names = [name_on_chart(name) for name, _, _ in shown]
    left = 12 + WIDE_CHARACTER * max(map(len, names), default=0)
    wide = WIDTH - left - _RIGHT
    shapes: list[str] = []
    for row, (name, (_, alone, in_all)) in enumerate(zip(names, shown, strict=True)):
        top = _TOP + row * _ROW
        shapes.append(label(left - 8, top + 13, name, "end", INK))
        place = f'x="{left:g}" y="{top + 2}" height="{_ROW - 8}"'
        shapes.append(f'<rect {place} width="{wide:g}" fill="{FAINT}" fill-opacity="0.5"/>')
        shapes.append(f'<rect {place} width="{in_all * wide:g}" fill="{COLOURS[0]}" fill-opacity="0.35"/>')
        shapes.append(f'<rect {place} width="{alone * wide:g}" fill="{COLOURS[0]}"/>')
        shapes.append(label(WIDTH - _RIGHT + 8, top + 13, percentage(in_all), "start", SOFT))
    height = _TOP + len(shown) * _ROW
    if len(shares) > BARS:
        height += _ROW
        words = f"{counted(len(shares) - BARS, 'more parameter')}, each with less"
        shapes.append(label(left, height - 8, words, "start", SOFT))
    first = f"; most of it is {names[0]}'s" if names else ""
    return document(height + 4, shapes, f"How much of {quantity} each parameter is the reason of{first}.")
