"""A rover's way through rough terrain: 30 points of the unit square, 60 parameters.

Section I.3 of Bardou et al. 2024, after Wang et al. 2018. Eq. 70 is -c(x) - 10 (|start - s| + |end - t|),
which is at most 0; as in the problem's first publication 5 is added, so that the reference optimum is 5
and regrets are the negative rewards of the paper's Table 2. The reference is not quite attained: the
cheapest way still costs its length on plain ground, about 0.07.

Deviations: the terrain is our own (the paper prints none), of the same make as the usual one: fifteen
square obstacles on plain ground. They have slopes of finite width, so that the objective is continuous.
The 30 points are the control points of a clamped uniform cubic B-spline, where the paper fits a spline to
them: so the trajectory starts and ends at its first and last point, never leaves the square, and exists
for any points whatever.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluators.quantities import Quantity, read_quantities

FloatArray = NDArray[np.float64]

POINTS = 30
PARAMETERS = tuple(f"x{i + 1}" for i in range(2 * POINTS))
"""x1 and x2 are the first point's two coordinates, and so on; each in [0, 1]."""
QUANTITIES = dict.fromkeys(PARAMETERS, Quantity(0.0, 1.0))
START = np.array([0.05, 0.05])
GOAL = np.array([0.95, 0.95])
REFERENCE_OPTIMUM = 5.0

_MISS_COST = 10.0
_GROUND_COST = 0.05
_OBSTACLE_COST = 20.0
OBSTACLE_HALF_SIDE = 0.025
OBSTACLE_SLOPE = 0.01
OBSTACLES = np.array(
    [
        [0.10, 0.36], [0.14, 0.65], [0.17, 0.17], [0.24, 0.27], [0.27, 0.47],
        [0.34, 0.77], [0.42, 0.12], [0.41, 0.38], [0.50, 0.51], [0.56, 0.85],
        [0.62, 0.24], [0.66, 0.60], [0.75, 0.79], [0.83, 0.41], [0.86, 0.83],
    ]
)  # fmt: skip
_SAMPLES = 1001


@dataclass(frozen=True)
class Journey:
    """One trajectory's costs. All in units of roughness times length, where the square's side is 1.

    Attributes:
        value: the objective, at most `REFERENCE_OPTIMUM`.
        path_length: of the spline, in sides of the square.
        collision_cost: the part of the integrated roughness that is due to obstacles.
        miss_cost: the penalty for starting away from the start and ending away from the goal.
    """

    value: float
    path_length: float
    collision_cost: float
    miss_cost: float


def roughness(positions: FloatArray) -> FloatArray:
    """The terrain at (..., 2) positions: plain ground, and obstacles with slopes outside their walls."""
    beyond_wall = np.abs(positions[..., np.newaxis, :] - OBSTACLES).max(axis=-1) - OBSTACLE_HALF_SIDE
    nearest = beyond_wall.min(axis=-1)
    height: FloatArray = _GROUND_COST + _OBSTACLE_COST * np.clip(1.0 - nearest / OBSTACLE_SLOPE, 0.0, 1.0)
    return height


def trajectory(points: FloatArray) -> FloatArray:
    """(30, 2) control points to (1001, 2) positions along their spline, its two ends included."""
    positions: FloatArray = _basis() @ points
    return positions


def journey(points: FloatArray) -> Journey:
    """The costs of the trajectory of (30, 2) control points in the unit square."""
    positions = trajectory(points)
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    rough = roughness(positions)
    # The trapezoidal rule along the arc.
    cost = float(steps @ (rough[1:] + rough[:-1]) / 2.0)
    length = float(steps.sum())
    miss = _MISS_COST * float(np.abs(points[0] - START).sum() + np.abs(points[-1] - GOAL).sum())
    return Journey(
        value=REFERENCE_OPTIMUM - cost - miss,
        path_length=length,
        collision_cost=max(0.0, cost - _GROUND_COST * length),
        miss_cost=miss,
    )


def rover(parameters: Mapping[str, Any]) -> dict[str, float]:
    """One evaluation, without noise: `evaluators.rover:rover`.

    Args:
        parameters: x1 to x60, each in [0, 1].

    Returns:
        ``value``, and the extras ``path_length``, ``collision_cost`` and ``miss_cost``: see `Journey`.

    Raises:
        EvaluationError: (invalid) the parameters are not these.
    """
    given = read_quantities("rover", QUANTITIES, parameters)
    points = np.array(list(given.values())).reshape(POINTS, 2)
    travelled = journey(points)
    return {
        "value": travelled.value,
        "path_length": travelled.path_length,
        "collision_cost": travelled.collision_cost,
        "miss_cost": travelled.miss_cost,
    }


@cache
def _basis() -> FloatArray:
    """(1001, 30) weights of the control points in each position: cubic, uniform, clamped at both ends."""
    from scipy.interpolate import BSpline

    degree = 3
    inner = np.linspace(0.0, 1.0, POINTS - degree + 1)
    knots = np.concatenate([np.zeros(degree), inner, np.ones(degree)])
    weights: FloatArray = BSpline(knots, np.eye(POINTS), degree)(np.linspace(0.0, 1.0, _SAMPLES))
    return weights
