"""The upper confidence bound: mean + sqrt(beta) x deviation (Srinivas et al. 2012).

Notation: t >= 1 the number of the evaluation to come, d the dimension (of a factor, for additive models).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Posterior, share
from orchestrator.arrays import FloatArray


def practical_beta(t: int, d: int) -> float:
    """0.2 d log(2t): the schedule that works (Kandasamy et al. 2015, section 4.4)."""
    return 0.2 * d * math.log(2 * max(t, 1))


def theoretical_beta(t: int, d: int) -> float:
    """4 (d + 1) log t + 2 d log(d a b sqrt(pi)), for which regret is bounded (Lu et al. 2022, Eq. 20).

    a b is the product of the constants of their Assumption 1, which nobody knows; here it is 1.
    """
    return 4 * (d + 1) * math.log(max(t, 1)) + 2 * d * math.log(d * math.sqrt(math.pi))


@dataclass(frozen=True, eq=False)
class UpperConfidenceBound:
    """At (n, E) inputs: values (n,) and gradients (n, E). ``beta`` >= 0 is under the root."""

    posterior: Posterior
    beta: float

    def values(self, X: FloatArray) -> FloatArray:
        mean, variance = self.posterior.mean_and_variance(X)
        return mean + np.sqrt(self.beta * variance)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        at = self.posterior.value_gradients(X)
        root = math.sqrt(self.beta)
        return at.mean + root * at.deviation, at.mean_gradient + root * at.deviation_gradient

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) how much of the bound is the deviation's."""
        mean, variance = self.posterior.mean_and_variance(X)
        return share(np.sqrt(self.beta * variance), mean)
