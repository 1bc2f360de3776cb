"""What is expected over two parameters together, the others staying as they are at one point.

Notation: D parameters, k and m positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.map_positions import ACROSS, DOWN, map_positions
from orchestrator.sensitivity.value_model import ValueModel

MOST_ASKED: Final = 10
"""Parameters, those with the largest shares, of which pairs are looked at."""


@dataclass(frozen=True, eq=False, slots=True)
class ValueMap:
    """(m, k) values ``expected`` at the (k,) ``columns`` of the parameter that goes ``across`` and the (m,)
    ``rows`` of the one that goes ``down``, by their numbers; positions lie in [0, 1] and ascend. NaN where
    constraints are broken.
    """

    across: int
    down: int
    columns: FloatArray
    rows: FloatArray
    expected: FloatArray


def value_map(model: ValueModel, shares: FloatArray, centre: FloatArray) -> ValueMap | None:
    """Through a (D,) point, of those two parameters that have the largest of D ``shares`` among such as count
    there, whatever the other's value; None where there are no two of these.
    """
    domain = model.domain
    counting = domain.active(centre[None, :])[0]
    ranked = [int(i) for i in np.argsort(-shares, kind="stable") if counting[i]]
    for across, down in combinations(ranked[:MOST_ASKED], 2):
        x, y = map_positions(domain, across, ACROSS), map_positions(domain, down, DOWN)
        points = np.tile(centre, (len(x) * len(y), 1))
        points[:, across], points[:, down] = np.tile(x, len(y)), np.repeat(y, len(x))
        points = domain.folded(points)
        if not domain.active(points)[:, [across, down]].all():
            continue
        expected = np.full(len(points), np.nan)
        shown = domain.feasible(points)
        if shown.any():
            expected[shown] = model.expected(points[shown])
        return ValueMap(across, down, x, y, expected.reshape(len(y), len(x)))
    return None
