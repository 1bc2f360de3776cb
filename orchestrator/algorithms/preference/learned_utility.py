"""What comparisons say is best, and how surely.

Notation: D coordinates, E embedded columns, n points compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Preferred
from orchestrator.algorithms.preference.told_comparisons import ToldComparisons
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics import normal
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.latent.likeliest_kernel import FAMILY
from orchestrator.surrogates.latent.utility import Advantage, UtilityPosterior
from orchestrator.surrogates.latent.utility_fit import fit_utility
from orchestrator.unit_cube.domain import Domain

LEADERS = 10
"""So many of the best points are searched about."""


@dataclass(frozen=True, eq=False, slots=True)
class LearnedUtility:
    """Of n ``trials``, where they are, (n, D), the ``utility`` with its ``hyperparameters``, their ``order``
    by its mean, the best first, and the ``candidates`` among these, which keep to the constraints as they are
    now.
    """

    trials: tuple[int, ...]
    points: FloatArray
    utility: UtilityPosterior
    hyperparameters: Hyperparameters
    order: IndexArray
    candidates: IndexArray

    @property
    def best(self) -> int:
        """The number of the candidate with the highest mean, or of the trial with it if there is none."""
        return self.trials[self._best_row]

    @property
    def embedded_best(self) -> FloatArray:
        """(E,) where it lies."""
        return np.asarray(self.utility.compared.X[self._best_row])

    @property
    def _best_row(self) -> int:
        return int((self.candidates if len(self.candidates) else self.order)[0])

    @property
    def leaders(self) -> FloatArray:
        """(k, D) the best points."""
        return np.asarray(self.points[self.order[:LEADERS]])

    @property
    def preferred(self) -> Preferred | None:
        """The best candidate, and how surely it is better than the next; None if there is none."""
        if len(self.candidates) < 2:
            return Preferred(self.best, None, None) if len(self.candidates) else None
        next_best = self.candidates[1]
        over = self.utility.over(self.utility.compared.X[next_best])
        chance = chance_above_0(over, self.embedded_best[None, :])
        return Preferred(self.best, self.trials[int(next_best)], chance)


def learned_utility(told: ToldComparisons, domain: Domain) -> LearnedUtility:
    """By all comparisons told, of which there must be one. Deterministic."""
    compared = told.compared()
    hyperparameters = fit_utility(compared, domain.embedded_parameter)
    utility = UtilityPosterior.of(compared, hyperparameters.kernel(FAMILY, domain.embedded_parameter))
    order = np.argsort(-utility.mean(compared.X), kind="stable")
    points = told.points()
    candidates = order[domain.feasible(points)[order]]
    return LearnedUtility(tuple(told.trials), points, utility, hyperparameters, order, candidates)


def chance_above_0(advantage: Advantage, X: FloatArray) -> float:
    """That of a (1, E) point being better than the other one."""
    mean, variance = advantage.mean_and_variance(X)
    return float(normal.distribution(mean[0] / math.sqrt(variance[0])))
