"""Synthetic functions of which somebody believes where they are best, and may be wrong. All are minimised.

Notation: D parameters, u the unit cube.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.functions.shifted import Shifted
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

EVALUATIONS = 30
DEVIATIONS: Mapping[str, float] = {"right": 0.1, "wide": 0.3, "wrong": 0.1}
"""Of what is believed of each parameter, as a part of its range; who is right is off by a draw of that."""


@dataclass(frozen=True)
class Believed(Shifted):
    """Of which each seed has a copy of its own, and beliefs in it."""

    evaluations: int = EVALUATIONS

    def middle(self, seed: int, belief: str) -> FloatArray:
        """(D,) in the unit cube: near the best point by as much as is said, or half the range away from it in
        every parameter.
        """
        function = self.of_seed(seed)
        lower, upper = function.bounds.T
        best = (function.optimum.points[0] - lower) / (upper - lower)
        if belief == "wrong":
            return np.asarray((best + 0.5) % 1.0)
        off = stream(seed, "beliefs in a comparison", self.dimension).standard_normal(self.dimension)
        return np.asarray(np.clip(best + DEVIATIONS[belief] * off, 0.0, 1.0))


PROMISING: Mapping[str, Believed] = {
    name: Believed(name)
    for name in ("camel", "hartmann-3", "levy-4", "ackley-4", "rosenbrock-4", "hartmann-6")
}
