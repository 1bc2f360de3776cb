"""Points that keep to ties which hang on values of some coordinates: some of each value, however little of
the domain is left for it.

Notation: k points, D coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import FeasibleRegion, Ties
from orchestrator.unit_cube.held_ties import TiesHeld

MOST, MOST_OF_A_VALUE = 128, 8
"""Points."""
SEED = 20261130


def known_by_value(domain: Domain, ties: Ties, places: Sequence[tuple[int, float]]) -> FloatArray:
    """(k, D) at each of some ``places``, a coordinate and a position on it, of a ``domain`` without ties;
    none where none is found soon. k may be 0.
    """
    found = [np.empty((0, domain.dimension))]
    if len(places) > MOST:
        return found[0]
    each = min(MOST_OF_A_VALUE, MOST // max(1, len(places)))
    rng = np.random.default_rng(SEED)
    for j, position in places:
        held = domain.holding({j: position})
        points = FeasibleRegion(held, TiesHeld(ties, held)).soon()
        if len(points) > each:
            points = points[rng.choice(len(points), each, replace=False)]
        found.append(points)
    return np.vstack(found)
