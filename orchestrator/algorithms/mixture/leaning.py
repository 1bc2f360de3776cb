"""How `auto` leans to where a person said that good settings lie: the less, the more results there are.

Notation: D coordinates, n results, k points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Function
from orchestrator.acquisition.where_promising import WherePromising
from orchestrator.algorithms.base import Problem
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.hunch import Hunch

SHARE_OF_TRIALS = 0.1
"""Beta is this part of the trials, as its authors have it (Section 4.1)."""
TRIALS_OF_EACH = 10
"""Where nobody says how many trials there are: so many for each coordinate."""
DRAWN = 4
"""So many points that lie as the hunch says are looked at in each search: it may be too narrow to be met."""


@dataclass(frozen=True, eq=False)
class Leaning:
    """A ``hunch``, and the ``power`` > 0 to which how promising it has points counts by now."""

    hunch: Hunch
    power: float

    @classmethod
    def of(cls, problem: Problem, results: int) -> Leaning | None:
        """After so many results; None where nobody said anything."""
        if problem.hunch is None:
            return None
        trials = problem.trials or TRIALS_OF_EACH * problem.domain.dimension
        return cls(problem.hunch, SHARE_OF_TRIALS * trials / max(results, 1))

    def on(self, function: Function, domain: Domain) -> Function:
        """What is maximised over a domain, a logarithm, as far as it counts where points are promising."""
        return WherePromising(function, self.hunch, self.power, domain)

    def counted(self, domain: Domain, point: FloatArray) -> float:
        """What it adds at a (D,) point."""
        return float(self.power * self.hunch.log(domain, point[None, :])[0])

    def places(self, domain: Domain, rng: np.random.Generator) -> FloatArray:
        """(k, D) points of a domain that lie as the hunch says, the first in its middle."""
        uniform = rng.random((DRAWN, domain.dimension))
        drawn = domain.snap(domain.spread(self.hunch.drawn(uniform)))
        return np.vstack([self.hunch.middle(domain), drawn])

    @property
    def in_words(self) -> str:
        """For people."""
        return (
            "where settings were said to be promising, what is expected counts to the power"
            f" {self.power:.2g} of how much more promising they are than others: less with each result"
        )
