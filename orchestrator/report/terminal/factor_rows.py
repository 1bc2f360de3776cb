"""A decomposition as a small graph: a row a factor, a column a parameter, the factor's parameters joined."""

from __future__ import annotations

from collections.abc import Sequence

COLUMNS_DRAWN = 24
"""With more parameters than that the graph is wider than it is clear, and names alone are shown."""


def factor_rows(factors: Sequence[Sequence[int]], names: Sequence[str]) -> list[tuple[str, str]]:
    """(drawing, names) of each factor, the largest first; parameters that stand alone share the last row.

    ``factors`` hold numbers into ``names``. Columns are ordered so that the members of a factor are
    neighbours where they can be.
    """
    together = sorted((sorted(f) for f in factors if len(f) > 1), key=lambda f: (-len(f), f))
    alone = sorted(number for factor in factors if len(factor) == 1 for number in factor)
    if not together:
        return [("", "every parameter alone")] if alone else []
    order: list[int] = []
    for factor in [*together, alone]:
        order.extend(number for number in factor if number not in order)
    column = {number: place for place, number in enumerate(order)}
    drawn = len(order) <= COLUMNS_DRAWN
    rows: list[tuple[str, str]] = []
    for factor in together:
        places = sorted(column[number] for number in factor)
        drawing = _joined(places, len(order)) if drawn else ""
        rows.append((drawing, " × ".join(_name(number, names) for number in factor)))
    if alone:
        dots = "".join("●" if n in alone else "·" for n in order) if drawn else ""
        rows.append((_spaced(dots), f"alone: {', '.join(_name(number, names) for number in alone)}"))
    return rows


def _name(number: int, names: Sequence[str]) -> str:
    return names[number] if 0 <= number < len(names) else f"#{number}"


def _spaced(dots: str) -> str:
    return " ".join(dots)


def _joined(places: Sequence[int], columns: int) -> str:
    """``●─●─·─●``: a line from the first to the last, with a dot where the factor has a parameter."""
    cells: list[str] = []
    for place in range(columns):
        inside = places[0] <= place <= places[-1]
        cells.append("●" if place in places else "┼" if inside else "·")
        if place + 1 < columns:
            cells.append("─" if places[0] <= place < places[-1] else " ")
    return "".join(cells)
