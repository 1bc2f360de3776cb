"""Rungs: how closely settings are looked at, one after another, each for so many times the cost.

Notation: K rungs, D coordinates.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import NoFeasiblePoint
from orchestrator.unit_cube.fidelity_levels import Levels

# What is written as a value of the parameter, and read again, is off by less.
NEAR = 1e-9


def most_rungs(levels: Levels, reduction: int) -> int:
    """How many there are from the cheapest look to full fidelity where each costs ``reduction`` times what
    the one before does, or as nearly that as has both ends; 1 where all cost the same.
    """
    least = float(levels.costs.min())
    return 1 if least >= 1.0 else max(2, 1 + round(-math.log(least) / math.log(reduction)))


def rungs_of(domain: Domain, levels: Levels, reduction: int, rungs: int | None = None) -> FloatArray:
    """(K,) positions of the coordinate that says how closely to look, the last at full fidelity. As many as
    ``rungs``, the lowest left out, or `most_rungs` if None; fewer where the coordinate has fewer positions.
    """
    most = most_rungs(levels, reduction)
    count = min(rungs or most, most)
    least = float(levels.costs.min())
    if count < most:
        least = max(least, float(reduction) ** (1 - count))
    # Who pays as much for a closer look takes that.
    costs = np.minimum.accumulate(levels.costs[::-1])[::-1]
    points = np.zeros((count, domain.dimension))
    points[:, levels.coordinate] = np.interp(np.geomspace(least, 1.0, count), costs, levels.positions)
    points[-1, levels.coordinate] = levels.full
    found = domain.rounded(points)[:, levels.coordinate]
    return np.asarray(found[np.append(np.diff(found) != 0.0, True)])


def reached(rungs: FloatArray, position: float) -> int:
    """The number, from 0 on, of the closest rung that looks no closer than a position; -1 if none does."""
    off = np.abs(rungs - rungs[-1])
    return int(np.count_nonzero(off > abs(position - float(rungs[-1])) - NEAR)) - 1


def is_at(rungs: FloatArray, rung: int, position: float) -> bool:
    """Whether a position is that of a rung, a number from 0 on."""
    return rung >= 0 and abs(float(rungs[rung]) - position) < NEAR


def has_points(domain: Domain) -> bool:
    """Whether any are found that keep to its ties."""
    try:
        domain.require_feasible_points()
    except NoFeasiblePoint:
        return False
    return True
