"""On which side of a fold points were drawn that were told where they lie in the cube.

A place beyond a bound and its mirror image within are the same point. Of points that count within alone the
mean would move away from every bound that it is at, and the path of such moves would widen the distribution.
So each is taken to have been drawn on either side as likely as the distribution has it.

Notation: n coordinates, λ points.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from orchestrator.algorithms.evolution.bound_folding import mirrored
from orchestrator.algorithms.evolution.search_distribution import SearchDistribution
from orchestrator.arrays import BoolArray, FloatArray

PASSES = 3
"""Each coordinate by itself, and then twice what all others leave of it."""


def on_sides_drawn(
    places: FloatArray, folds: BoolArray, drawn_from: SearchDistribution, chances: FloatArray
) -> FloatArray:
    """(λ, n) places, in the coordinates that fold (n,) on the sides that `PASSES` (λ, PASSES, n) numbers,
    uniform between 0 and 1, decide for: a draw by Gibbs sampling, given the sides of the others.
    """
    mean, precision = drawn_from.mean, drawn_from.precision
    within, beyond = places - mean, mirrored(places, mean) - mean
    variances = drawn_from.deviations**2
    alone = _are_beyond(within, beyond, np.zeros_like(mean), 1.0 / variances, chances[:, 0])
    steps = np.where(folds & alone, beyond, within)
    for sweep in range(1, PASSES):
        for j in np.flatnonzero(folds):
            own = precision[j, j]
            expected = steps[:, j] - steps @ precision[:, j] / own
            chosen = _are_beyond(within[:, j], beyond[:, j], expected, own, chances[:, sweep, j])
            steps[:, j] = np.where(chosen, beyond[:, j], within[:, j])
    return np.asarray(mean + steps)


def _are_beyond(
    within: FloatArray,
    beyond: FloatArray,
    expected: FloatArray,
    precision: FloatArray | float,
    chances: FloatArray,
) -> BoolArray:
    log_odds = ((within - expected) ** 2 - (beyond - expected) ** 2) * precision / 2.0
    return np.asarray(chances < expit(log_odds))
