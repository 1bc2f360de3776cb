"""How much each rank of a generation counts, and how quickly what it says is learned.

Source: Hansen 2016 (arXiv:1604.00772), Table 1 and Eqs. 49-58. Notation as there: n coordinates, λ points a
generation, of which the best μ count for the mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray

COVARIANCE_RATE = 2.0
"""α_cov."""


@dataclass(frozen=True, eq=False, slots=True)
class Recombination:
    """``weights`` (λ,), the best rank first: those of the first ``parents`` add up to 1, the others are at
    most 0. ``mass`` is μ_eff; ``step_rate`` c_σ, ``step_damping`` d_σ, ``path_rate`` c_c, ``rank_one_rate``
    c_1 and ``rank_many_rate`` c_μ.
    """

    weights: FloatArray
    parents: int
    mass: float
    step_rate: float
    step_damping: float
    path_rate: float
    rank_one_rate: float
    rank_many_rate: float

    @classmethod
    def of(cls, dimension: int, population: int) -> Recombination:
        """Of n >= 1 coordinates and λ >= 2."""
        n = dimension
        raw = math.log((population + 1) / 2) - np.log(np.arange(1, population + 1))
        parents = population // 2
        mass = _mass(raw[:parents])
        rank_one = COVARIANCE_RATE / ((n + 1.3) ** 2 + mass)
        rank_many = min(
            1.0 - rank_one,
            COVARIANCE_RATE * (0.25 + mass + 1.0 / mass - 2.0) / ((n + 2) ** 2 + COVARIANCE_RATE * mass / 2),
        )
        negative = min(
            1.0 + rank_one / rank_many,
            1.0 + 2.0 * _mass(raw[parents:]) / (mass + 2.0),
            (1.0 - rank_one - rank_many) / (n * rank_many),
        )
        above, below = np.maximum(raw, 0.0), np.minimum(raw, 0.0)
        step_rate = (mass + 2.0) / (n + mass + 5.0)
        return cls(
            weights=above / above.sum() - negative * below / below.sum(),
            parents=parents,
            mass=mass,
            step_rate=step_rate,
            step_damping=1.0 + 2.0 * max(0.0, math.sqrt((mass - 1.0) / (n + 1.0)) - 1.0) + step_rate,
            path_rate=(4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n),
            rank_one_rate=rank_one,
            rank_many_rate=rank_many,
        )


def default_population(dimension: int) -> int:
    """λ, where nobody says how many."""
    return 4 + math.floor(3.0 * math.log(max(dimension, 1)))


def _mass(weights: FloatArray) -> float:
    return float(weights.sum() ** 2 / (weights**2).sum())
