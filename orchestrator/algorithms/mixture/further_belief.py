"""What is believed of the objectives beside the value: a Gaussian process for each, on its own scale.

Notation: G further objectives; n results, E embedded columns.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.mixture.belief import Member, Results
from orchestrator.arrays import BoolArray, FloatArray


def known(X: FloatArray, objective: FloatArray, penalty: float) -> Results:
    """Of (n, E) embedded inputs and (n,) of an objective, what is known; what is not above the penalty
    stands for a failure, and is not.
    """
    rows = objective > penalty
    return Results(X[rows], objective[rows], np.zeros(np.count_nonzero(rows)))


@dataclass(frozen=True, eq=False, slots=True)
class ObjectiveBelief:
    """Of one; what is not above the ``penalty`` stands for a failure."""

    member: Member
    penalty: float


@dataclass(frozen=True, eq=False, slots=True)
class FurtherBelief:
    """Of all G, in order."""

    objectives: tuple[ObjectiveBelief, ...]

    @property
    def members(self) -> list[Member]:
        """G of them."""
        return [objective.member for objective in self.objectives]

    def unpunished(self, told: FloatArray) -> BoolArray:
        """(n,) which of (n, G) results have no penalty among their objectives."""
        return np.asarray((told > [objective.penalty for objective in self.objectives]).all(axis=1))

    def learn(self, X: FloatArray, told: FloatArray) -> None:
        """Take in one result: (1, E) embedded, and its (G,) objectives, NaN where one is not known."""
        for objective, value in zip(self.objectives, told, strict=True):
            result = known(X, np.array([value]), objective.penalty)
            if len(result.values):
                objective.member.learn(result)

    def expected(self, X: FloatArray) -> FloatArray:
        """(n, G) what they are believed to be without their noise, in their units, at (n, E) inputs."""
        return np.column_stack([member.expected(X) for member in self.members])

    def hallucinating(self, X: FloatArray, *, without_noise: bool = False) -> AbstractContextManager[None]:
        """Within the block (n, E) points count as come out at each member's mean, or as known to be there."""
        return in_all(m.posterior.hallucinating(X, without_noise=without_noise) for m in self.members)
