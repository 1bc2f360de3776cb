"""What one generation makes of the distribution.

Source: Hansen 2016 (arXiv:1604.00772), Eqs. 38-47, Fig. 6; of points that need not come from it, Hansen 2011
(arXiv:1110.4181), "Injecting external solutions into CMA-ES", Eq. 3.
Notation as there: n coordinates, λ points.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.algorithms.evolution.recombination_weights import Recombination
from orchestrator.algorithms.evolution.search_distribution import SearchDistribution, expected_length
from orchestrator.arrays import FloatArray

# A step this short, in deviations, has no direction.
SHORTEST_STEP = 1e-6


def longest_step(dimension: int) -> float:
    """How far from the mean a point counts as at most, in deviations."""
    return math.sqrt(dimension) + 2.0 * dimension / (dimension + 2.0)


def updated(old: SearchDistribution, points: FloatArray, recombination: Recombination) -> SearchDistribution:
    """The distribution after a generation of (λ, n) points, the best first.

    Whichever distribution a point is from, it counts as a step from the mean as it is now, cut to
    `longest_step`.
    """
    n, r = len(old.mean), recombination
    steps = (points - old.mean) / old.step
    lengths = np.linalg.norm(old.whitened(steps), axis=1)
    cut = np.minimum(1.0, longest_step(n) / np.maximum(lengths, np.finfo(float).tiny))
    steps, lengths = steps * cut[:, None], lengths * cut

    move = r.weights[: r.parents] @ steps[: r.parents]
    fresh = math.sqrt(r.step_rate * (2.0 - r.step_rate) * r.mass)
    step_path = (1.0 - r.step_rate) * old.step_path + fresh * old.whitened(move)
    length, expected = float(np.linalg.norm(step_path)), expected_length(n)
    step = old.step * math.exp(min(1.0, r.step_rate / r.step_damping * (length / expected - 1.0)))

    # While the step grows quickly the other path stalls: the covariance would grow too fast as well.
    settled = math.sqrt(1.0 - (1.0 - r.step_rate) ** (2 * (old.generations + 1)))
    moves = length / settled < (1.4 + 2.0 / (n + 1.0)) * expected
    rate = r.path_rate * (2.0 - r.path_rate)
    covariance_path = (1.0 - r.path_rate) * old.covariance_path
    if moves:
        covariance_path = covariance_path + math.sqrt(rate * r.mass) * move

    # So much of a poor step is unlearned that the covariance stays positive definite; of none, nothing.
    counted = np.where((r.weights < 0.0) & (lengths < SHORTEST_STEP), 0.0, r.weights)
    weights = np.where(counted < 0.0, counted * n / np.maximum(lengths, SHORTEST_STEP) ** 2, counted)
    lost = 0.0 if moves else r.rank_one_rate * rate
    kept = 1.0 + lost - r.rank_one_rate - r.rank_many_rate * float(counted.sum())
    covariance = (
        kept * old.covariance
        + r.rank_one_rate * np.outer(covariance_path, covariance_path)
        + r.rank_many_rate * (steps.T * weights) @ steps
    )
    return SearchDistribution(
        mean=old.mean + old.step * move,
        step=step,
        covariance=(covariance + covariance.T) / 2.0,
        step_path=step_path,
        covariance_path=covariance_path,
        generations=old.generations + 1,
    )
