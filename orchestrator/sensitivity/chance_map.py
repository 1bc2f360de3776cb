"""How likely a value is above a threshold, over two parameters.

Notation: D parameters, k and m positions, q settings of the other parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.map_positions import ACROSS, DOWN, map_positions
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.unit_cube.even_points import even_points

OTHERS = 16
"""Settings of the other parameters that are averaged over; a power of two."""


@dataclass(frozen=True, eq=False, slots=True)
class ChanceMap:
    """(m, k) ``chances``, in [0, 1], at the (k,) ``columns`` of the parameter that goes ``across`` and the
    (m,) ``rows`` of the one that goes ``down``, by their numbers; positions lie in [0, 1] and ascend: on
    average over all settings of the others that satisfy the constraints, NaN where none do.
    """

    across: int
    down: int
    columns: FloatArray
    rows: FloatArray
    chances: FloatArray


def chance_map(
    model: ResultsModel, pair: tuple[int, int], threshold: float, rng: np.random.Generator
) -> ChanceMap:
    """Of two of D parameters: O(n^2 k m q)."""
    domain, (across, down) = model.domain, pair
    x, y = map_positions(domain, across, ACROSS), map_positions(domain, down, DOWN)
    others = even_points(domain, OTHERS, rng)
    points = np.tile(others, (len(x) * len(y), 1))
    points[:, across] = np.tile(np.repeat(x, OTHERS), len(y))
    points[:, down] = np.repeat(y, len(x) * OTHERS)
    points = domain.folded(points)
    allowed = domain.feasible(points)
    chances = np.zeros(len(points))
    if allowed.any():
        chances[allowed] = model.believed(points[allowed]).above(threshold)
    cells, counts = (one.reshape(len(y), len(x), OTHERS).sum(axis=2) for one in (chances, allowed))
    return ChanceMap(across, down, x, y, np.where(counts > 0, cells / np.maximum(counts, 1), np.nan))
