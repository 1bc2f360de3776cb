"""DIRECT, without gradients: scipy's, behind the same answer as the other maximisers.

Source: Jones, Perttunen & Stuckman 1993; the local bias after Gablonsky & Kelley 2001.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.maximum import Maximum
from orchestrator.maximisers.objective import Objective
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, slots=True)
class Direct:
    """DIRECT with about ``evaluations`` of the function, locally biased, which suits functions of few maxima.

    Deviations: a point between the positions of a discrete coordinate has the value of the nearest one, so
    that the division goes on as on a step function.
    """

    evaluations: int = 2000

    def maximise(self, objective: Objective, domain: Domain) -> Maximum:
        """The best point found. Deterministic. Raises ValueError if the function is nowhere finite."""
        best_value, best_point = -np.inf, np.full(domain.dimension, 0.5)

        def cost(x: FloatArray) -> float:
            nonlocal best_value, best_point
            point = domain.snap(x)
            value = float(objective.values(point[None, :])[0])
            if value > best_value:
                best_value, best_point = value, point
            return -value if np.isfinite(value) else np.inf

        tried = optimize.direct(
            cost,
            [(0.0, 1.0)] * domain.dimension,
            maxfun=self.evaluations,
            maxiter=self.evaluations,
            locally_biased=True,
            vol_tol=0.0,
            len_tol=1e-7,
        )
        if not np.isfinite(best_value):
            raise ValueError(f"expected a function with finite values; none of {tried.nfev} points had one")
        return Maximum(best_point, best_value)
