"""Sharing out the lines of a terminal: what must be seen first, then what there is room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.text import Text


@dataclass(frozen=True, slots=True)
class Section:
    """A titled block. ``lines`` is all that it has to show; ``least`` how many lines it needs to be of use.

    ``newest``: what does not fit is cut off above, not below. ``unit`` is what a line is, for "and 12 more";
    ``beyond`` how many there are that no room is asked for.
    """

    title: str
    lines: Sequence[Text]
    least: int = 1
    newest: bool = False
    unit: str = ""
    beyond: int = 0

    @property
    def height(self) -> int:
        """Lines that show all that room is asked for."""
        return len(self.lines) + (self.beyond > 0)


def share_out(sections: Sequence[Section], height: int) -> list[int]:
    """How many lines each section may show, its title apart.

    Sections come in the order of their importance. Each is given its least as long as there is room, and
    the rest goes to the first that can use it.
    """
    shares = [0] * len(sections)
    left = height
    for index, section in enumerate(sections):
        least = min(section.least, section.height)
        if least and left >= least + 1:
            shares[index] = least
            left -= least + 1
    for index, section in enumerate(sections):
        if shares[index]:
            more = min(left, section.height - shares[index])
            shares[index] += more
            left -= more
    return shares


def stacked(
    sections: Sequence[Section], width: int, height: int, ruled: Callable[[str, int], Text]
) -> list[Text]:
    """At most ``height`` lines of at most ``width`` columns: titles by ``ruled``, and what fits below."""
    lines: list[Text] = []
    for section, share in zip(sections, share_out(sections, height), strict=True):
        if share == 0:
            continue
        lines.append(ruled(section.title, width))
        lines.extend(fitted(line, width) for line in _shown(section, share))
    return lines


def _shown(section: Section, share: int) -> list[Text]:
    if section.height <= share and not section.beyond:
        return list(section.lines)
    if section.newest:
        return list(section.lines[-share:])
    if share < 2 or not section.unit:
        return list(section.lines[:share])
    hidden = len(section.lines) - share + 1 + section.beyond
    return [*section.lines[: share - 1], Text(f"and {hidden} more {section.unit}", style="dim")]


def fitted(line: Text, width: int) -> Text:
    """The line cut to the width, with an ellipsis where something is missing."""
    if line.cell_len <= width:
        return line
    cut = line.copy()
    cut.truncate(width, overflow="ellipsis")
    return cut


def beside(left: Sequence[Text], right: Sequence[Text], width: int, gap: int) -> list[Text]:
    """Two columns; the left one is ``width`` wide."""
    lines: list[Text] = []
    for index in range(max(len(left), len(right))):
        line = left[index].copy() if index < len(left) else Text()
        if index < len(right):
            line.pad_right(max(0, width + gap - line.cell_len))
            line.append_text(right[index])
        lines.append(line)
    return lines
