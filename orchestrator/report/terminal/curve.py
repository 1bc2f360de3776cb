"""The best value so far as a small curve of braille dots, two by four to a character."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.report.magnitudes import falls_by_magnitudes, magnitude

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a braille character, by row from the top and column."""


def curve_lines(steps: Sequence[tuple[int, float]], until: int, width: int, height: int) -> list[str]:
    """``height`` strings of ``width`` characters, from the top.

    ``steps`` are (number of trials, best value from then on), and the curve ends at ``until`` trials. The
    highest value touches the top and the lowest the bottom; a constant runs along the middle. Values that
    were overtaken within the first twentieth are cut off at the edge: they would flatten all that follows.
    What falls `by_magnitudes` is drawn by logarithms.
    """
    if not steps or width < 1 or height < 1:
        return [" " * max(0, width)] * max(0, height)
    columns, rows = 2 * width, 4 * height
    first, span = steps[0][0], _span(steps, until)
    values = _shown(steps, until)
    low, high = min(values), max(values)
    drawn = [min(max(value, low), high) for _, value in steps]
    if by_magnitudes(steps, until):
        low, high, drawn = magnitude(low), magnitude(high), [magnitude(value) for value in drawn]
    # Halved first: the range of the largest floats overflows. That of the smallest is none, then.
    half = high / 2 - low / 2
    levels: list[int] = []
    index = 0
    for column in range(columns):
        trials = first + span * column / (columns - 1)
        while index + 1 < len(steps) and steps[index + 1][0] <= trials:
            index += 1
        share = 0.5 if half == 0.0 else (drawn[index] / 2 - low / 2) / half
        levels.append(round((1.0 - share) * (rows - 1)))
    cells = [[0] * width for _ in range(height)]
    before = levels[0]
    for column, level in enumerate(levels):
        # A step is drawn through, so that the curve holds together.
        for row in range(min(before, level), max(before, level) + 1):
            cells[row // 4][column // 2] |= _DOTS[row % 4][column % 2]
        before = level
    return ["".join(chr(0x2800 + cell) for cell in row) for row in cells]


def by_magnitudes(steps: Sequence[tuple[int, float]], until: int) -> bool:
    """Whether the best values fall by so much that their curve is one of their logarithms."""
    return bool(steps) and falls_by_magnitudes(steps[-1][1], max(_shown(steps, until), key=abs))


def _shown(steps: Sequence[tuple[int, float]], until: int) -> list[float]:
    """The values that lie between the curve's top and bottom."""
    early = steps[0][0] + _span(steps, until) / 20
    values = [value for trials, value in steps if trials > early]
    settled_in = [value for trials, value in steps if trials <= early]
    return [*values, settled_in[-1]] if values else settled_in


def _span(steps: Sequence[tuple[int, float]], until: int) -> int:
    return max(1, until - steps[0][0])
