"""What is believed not to matter is tried at other values: nothing is lost if that is so.

A narrow ridge that no result lies on looks like a parameter without effect. A fit then gives it a
length-scale of several domains, no bound is higher anywhere along it, and the search would keep its value.

Notation: D coordinates, n points.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

POSITIONS = 9
# Of what an acquisition changes by along the middle one of the parameters.
LITTLE = 0.1
# Part of the range: once no value is farther than that from one that was tried, a parameter rests.
RESOLVED = 1.0 / 32.0


def at_untried_values(
    domain: Domain, values: Callable[[FloatArray], FloatArray], point: FloatArray, tried: FloatArray
) -> FloatArray:
    """A feasible (D,) point with those of its continuous coordinates, and of whole numbers, moved that hardly
    change the acquisition.

    ``values`` gives the acquisition's (n,) values at (n, D) points. Each such coordinate goes where it is
    farthest from its values in the (n, D) points tried, unless all are near one of these.
    """
    along = np.flatnonzero(domain.is_continuous)
    if len(along) < 2 or len(tried) == 0:
        return point
    lines = np.tile(point, (len(along), POSITIONS, 1))
    lines[np.arange(len(along)), :, along] = np.linspace(0.0, 1.0, POSITIONS)
    spans = np.ptp(values(lines.reshape(-1, domain.dimension)).reshape(len(along), POSITIONS), axis=1)
    moved = np.array(point)
    for coordinate in along[spans < LITTLE * np.median(spans)]:
        position, distance = _farthest(tried[:, coordinate], comes_round=bool(domain.comes_round[coordinate]))
        if distance > RESOLVED:
            moved[coordinate] = position
    return domain.snap(moved)


def _farthest(taken: FloatArray, *, comes_round: bool) -> tuple[float, float]:
    """The position in [0, 1] farthest from (n,) others, n >= 1, and how far that is."""
    known = np.unique(taken)
    if comes_round:
        gaps = np.diff(known, append=known[0] + 1.0)
        widest = int(np.argmax(gaps))
        return float(known[widest] + 0.5 * gaps[widest]) % 1.0, float(0.5 * gaps[widest])
    middles = 0.5 * (known[1:] + known[:-1])
    positions = np.concatenate([[0.0], middles, [1.0]])
    distances = np.concatenate([known[:1], 0.5 * np.diff(known), 1.0 - known[-1:]])
    most = int(np.argmax(distances))
    return float(positions[most]), float(distances[most])
