"""When a distribution has nothing left to find, so that another one begins.

Source: Auger & Hansen 2005, "A restart CMA evolution strategy with increasing population size", section 2.
Of its criteria those are here that hang on the order of values alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from orchestrator.algorithms.evolution.search_distribution import SearchDistribution
from orchestrator.algorithms.exclusion import CELLS
from orchestrator.arrays import FloatArray

LARGEST_CONDITION = 1e14
"""Beyond it axes are rounding error."""
NARROWEST = 8.0 / CELLS
"""The deviation below which few points are left that were not evaluated: these hold it up at some cells."""
GROWTH = 2
"""So many times as many points does a generation have after a restart."""


def window(dimension: int, population: int) -> int:
    """Over how many generations the best has to be better than nothing."""
    return 10 + math.ceil(30.0 * dimension / population)


def is_over(
    distribution: SearchDistribution | None,
    deviations: FloatArray,
    bests: Sequence[tuple[float, float]],
    dimension: int,
    population: int,
) -> bool:
    """Whether what it draws, with these (n,) deviations, is narrower than `NARROWEST`; or the best of
    generation after generation, of which ``bests`` has the standing, is the same; or it has degenerated to a
    line.
    """
    recent = bests[-window(dimension, population) :]
    if len(recent) == window(dimension, population) and len(set(recent)) == 1:
        return True
    if distribution is None:
        return False
    return bool((deviations < NARROWEST).all()) or distribution.condition > LARGEST_CONDITION
