"""Where maps over two parameters have their columns and rows."""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

ACROSS, DOWN = 20, 14


def map_positions(domain: Domain, parameter: int, count: int) -> FloatArray:
    """The middles of so many equal parts of the range; of few values all, and of many whole numbers those
    that lie evenly on their scale.
    """
    coordinate = domain.coordinates[parameter]
    if coordinate.positions:
        places, last = coordinate.grid, len(coordinate.positions) - 1
        rows = np.linspace(0, last, count).round().astype(int)
        if last >= count and coordinate.kind == "ordinal" and not coordinate.evenly:
            rows = np.searchsorted(coordinate.middles, np.linspace(places[0], places[-1], count))
        return np.asarray(places[np.unique(rows)])
    middles = (np.arange(count) + 0.5) / count
    return middles if coordinate.whole is None else np.unique(coordinate.whole.snap(middles))
