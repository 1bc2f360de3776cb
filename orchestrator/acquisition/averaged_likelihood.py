"""How likely what was measured is, by several models of the outcomes of which each is as plausible.

Few results leave open how far outcomes vary, and one model of them, be it the likeliest, is surer than they
are: what it misses would count as impossible. Groups of outcomes are believed apart from one another, and so
the likelihood of each is averaged by itself.

Notation: p points, D coordinates, K models.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.target_likelihood import TargetLikelihood
from orchestrator.arrays import FloatArray
from orchestrator.numerics.log_sum import log_sum
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False, slots=True)
class AveragedLikelihood:
    """On average over K ``members``, K >= 1, of the same groups; what outcomes are expected to be is as the
    ``likeliest`` says. See `TargetLikelihood`.
    """

    likeliest: TargetLikelihood
    members: Sequence[TargetLikelihood]

    @property
    def domain(self) -> Domain:
        """Of the points."""
        return self.likeliest.domain

    def log(self, points: FloatArray) -> FloatArray:
        """(p,) at (p, D) points."""
        each = np.array([one.log_of_each(points) for one in self.members])
        averaged = log_sum(each.reshape(len(each), -1)) - math.log(len(each))
        return np.asarray(averaged.reshape(each.shape[1:]).sum(axis=0) - 0.5 * self.likeliest.sought.beyond)

    def log_of_means(self, points: FloatArray) -> FloatArray:
        """(p,) the same, as if outcomes were what is expected of them."""
        return self.likeliest.log_of_means(points)
