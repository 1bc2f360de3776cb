"""Where maps over two parameters have their columns and rows."""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

ACROSS, DOWN = 20, 14


def map_positions(domain: Domain, parameter: int, count: int) -> FloatArray:
    """The middles of so many equal parts of the range; of few values all."""
    coordinate = domain.coordinates[parameter]
    if coordinate.positions:
        last = len(coordinate.positions) - 1
        return np.asarray(coordinate.grid[np.unique(np.linspace(0, last, count).round().astype(int))])
    middles = (np.arange(count) + 0.5) / count
    return middles if coordinate.whole is None else np.unique(coordinate.whole.snap(middles))
