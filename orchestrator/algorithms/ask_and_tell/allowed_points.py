"""The best point near one that may not be suggested, because it was told or runs already."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from orchestrator.algorithms.exclusion import Exclusion
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

# Deviations, in the unit cube, of steps from the point, and how many of each are tried.
SCALES, DRAWS_A_SCALE = (1e-3, 1e-2, 0.1, 0.3), 16


def best_allowed_near(
    point: FloatArray,
    values_at: Callable[[FloatArray], FloatArray],
    domain: Domain,
    exclusion: Exclusion,
    rng: np.random.Generator,
) -> FloatArray | None:
    """The (D,) point itself if it is allowed, else the best of its surroundings that is; None if none is.

    ``values_at`` maps (m, D) feasible points to (m,) values.
    """
    if exclusion.allows(point[None, :])[0]:
        return point
    scales = np.repeat(SCALES, DRAWS_A_SCALE)[:, None]
    around = domain.snap(point + scales * rng.standard_normal((len(scales), domain.dimension)))
    candidates = np.vstack([around, domain.neighbours(point)])
    candidates = candidates[exclusion.allows(candidates)]
    if len(candidates) == 0:
        return None
    best: FloatArray = candidates[int(np.argmax(values_at(candidates)))]
    return best
