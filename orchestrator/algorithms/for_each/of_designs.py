"""What one hypothesis believes of designs in each condition.

Notation: D coordinates, m conditions, k designs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.for_each.grounds import Grounds
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics import normal
from orchestrator.surrogates.posteriors.at_many_points import HasMoments, means_and_variances


@dataclass(frozen=True, eq=False, slots=True)
class OfDesigns:
    """Of (k, D) ``designs``, which are (k, m, D) ``points`` in the conditions, (k, m) ``feasible`` or not:
    (k, m) ``means`` and ``variances``.
    """

    designs: FloatArray
    points: FloatArray
    feasible: BoolArray
    means: FloatArray
    variances: FloatArray

    @classmethod
    def by(cls, posterior: HasMoments, grounds: Grounds, designs: FloatArray) -> OfDesigns:
        """By a posterior."""
        points = grounds.points(designs)
        X = grounds.domain.embed(points.reshape(-1, points.shape[2]))
        mean, variance = (one.reshape(points.shape[:2]) for one in means_and_variances(posterior, X))
        return cls(designs, points, grounds.feasible(points), mean, variance)

    def and_others(self, others: OfDesigns) -> OfDesigns:
        """These, and of the others those that are not among them."""
        known = {design.tobytes() for design in self.designs}
        more = np.array([design.tobytes() not in known for design in others.designs], dtype=bool)
        return OfDesigns(
            np.concatenate([self.designs, others.designs[more]]),
            np.concatenate([self.points, others.points[more]]),
            np.concatenate([self.feasible, others.feasible[more]]),
            np.concatenate([self.means, others.means[more]]),
            np.concatenate([self.variances, others.variances[more]]),
        )

    def log_improvement(self, over: FloatArray, rounding: float) -> FloatArray:
        """(k, m) logarithms of what is expected over (m,) values of the conditions, in standardised units,
        minus infinity where no point is feasible; ``rounding`` is added to variances.
        """
        deviations = np.sqrt(self.variances + rounding)
        scores = np.log(deviations) + normal.log_h((self.means - over) / deviations)
        return np.where(self.feasible, scores, -np.inf)
