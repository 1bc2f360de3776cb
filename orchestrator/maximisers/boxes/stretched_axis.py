"""A part of one axis of the unit cube as an axis of its own, from 0 to 1."""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.whole_numbers import MOST_LISTED, WholeNumbers


def stretched_axis(coordinate: Coordinate, lower: float, width: float, upper: float) -> Coordinate:
    """That from ``lower`` to ``upper``, where a position is now (position - lower) / ``width``.

    Of a discrete coordinate it has the positions inside, unless they are whole numbers and still too many to
    be listed: those have their places if the ends are as in `whole_ends`. Of one that comes round the ends
    may lie outside of [0, 1].
    """
    kind, whole = coordinate.kind, coordinate.whole
    if whole is not None:
        inside = whole.between(lower, upper)
        if inside is None or inside.count > MOST_LISTED:
            return Coordinate(whole=inside)
        kind, grid = "ordinal", np.array([whole.position(v) for v in range(inside.low, inside.high + 1)])
    elif coordinate.positions:
        grid = _by_turns(coordinate.grid) if coordinate.periodic else coordinate.grid
        grid = grid[(grid >= lower) & (grid <= upper)]
    else:
        return Coordinate()
    return Coordinate(kind, tuple(((grid - lower) / width).tolist()), free=coordinate.free)


def _by_turns(grid: FloatArray) -> FloatArray:
    """Positions, and the same a turn before and after."""
    return np.concatenate([grid - 1.0, grid, grid + 1.0])


def whole_ends(whole: WholeNumbers, centre: float, half: float) -> tuple[float, float]:
    """The ends of the cells of the whole numbers as far as ``half`` from that at ``centre``, its neighbours
    among them.
    """
    here = whole.at(centre)
    low = min(whole.at(max(centre - half, 0.0)), max(here - 1, whole.low))
    high = max(whole.at(min(centre + half, 1.0)), min(here + 1, whole.high))
    return whole.edge(low), whole.edge(high + 1)
