"""Up a smooth function from one point, while others stay at or above 0, by sequential quadratic programming.

Where the best point lies on the boundary of what several functions allow, or in an edge where boundaries
meet, a climb of any product with a probability has to follow a ridge that narrows as the functions become
better known; this goes to its top at once.

Notation: D coordinates, C slacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import minimize

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.maximisers.objective import Objective

ITERATIONS = 60
TOLERANCE = 1e-10


def constrained_ascent(
    objective: Objective,
    slacks: Sequence[Objective],
    start: FloatArray,
    bounds: tuple[FloatArray, FloatArray],
    free: BoolArray,
) -> FloatArray:
    """The (D,) point that it ends at, within (D,) ``bounds``; only coordinates that are ``free`` move.

    The slacks are at least 0 there to first order, if that can be; where they cannot, it is a point like any
    other. The start, if nothing is free or the arithmetic leaves the real numbers.
    """
    if not free.any():
        return start
    lower, upper = bounds
    functions = _Together(objective, slacks, start, free)
    asked = functions.at(start[free])
    if not all(np.isfinite(part).all() for part in asked):
        return start
    constraints = {
        "type": "ineq",
        "fun": lambda x: functions.at(x)[2],
        "jac": lambda x: functions.at(x)[3],
    }
    found = minimize(
        lambda x: (-functions.at(x)[0], -functions.at(x)[1]),
        start[free],
        jac=True,
        method="SLSQP",
        bounds=list(zip(lower[free], upper[free], strict=True)),
        constraints=[constraints] if slacks else [],
        options={"maxiter": ITERATIONS, "ftol": TOLERANCE},
    )
    end = start.copy()
    end[free] = np.clip(found.x, lower[free], upper[free])
    return end if np.isfinite(end).all() else start


@dataclass
class _Together:
    """Objective and slacks at one point at a time, each computed once however it is asked for."""

    objective: Objective
    slacks: Sequence[Objective]
    start: FloatArray
    free: BoolArray
    _last: tuple[bytes, tuple[float, FloatArray, FloatArray, FloatArray]] | None = field(default=None)

    def at(self, x: FloatArray) -> tuple[float, FloatArray, FloatArray, FloatArray]:
        """The value, its gradient, the (C,) slacks and theirs, by the coordinates that are free."""
        key = x.tobytes()
        if self._last is None or self._last[0] != key:
            point = self.start.copy()
            point[self.free] = x
            value, gradient = self.objective.values_and_gradients(point[None, :])
            told = [slack.values_and_gradients(point[None, :]) for slack in self.slacks]
            slacks = np.array([float(values[0]) for values, _ in told])
            slopes = np.array([gradients[0, self.free] for _, gradients in told])
            self._last = key, (float(value[0]), gradient[0, self.free], slacks, slopes)
        return self._last[1]
