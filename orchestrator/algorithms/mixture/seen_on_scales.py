"""Results as they are seen on some scales, with what a refit of `auto` found of them so: how likely they are.

Evidence and densities are in the results' own units, so that they may be compared, whatever they are seen on.

Notation: n results.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.algorithms.base import Problem, Refit
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.conditioned import mixture
from orchestrator.algorithms.mixture.likelier_scales import Glance, log_prior
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain

LEAST_GAIN = 1.0
"""By so many nats other scales have to be likelier: with a change, what was known of a region is lost."""
BETTER = 0.75
"""So many of the results, the best, have to be likelier by themselves: the others may lie beyond an edge."""


@dataclass(frozen=True, eq=False)
class SeenOnScales:
    """A ``problem`` and its ``history``, on ``scales`` of a domain as it was ``told``, and a ``refit`` by all
    of these results, which weighed hypotheses.
    """

    told: Domain
    scales: Scales
    problem: Problem
    history: History
    refit: Refit

    def likelier_at_a_glance(self) -> Scales:
        """Its own, unless others look likelier. Raises FactorisationError."""
        return Glance.after(self.refit, self.problem, self.history, self.told, self.scales).likelier()

    def is_likelier_than(self, other: SeenOnScales) -> bool:
        """Than the same results are on other scales, and by enough to go over to these: by evidence, with
        what scales are worth beforehand; and, where more coordinates are to count so, by how likely results
        are, left out one by one: all of them, and the better ones by themselves. What the worst alone gain is
        gained of an edge or a penalty, which no scale makes smooth.

        Raises FactorisationError.
        """
        if self._log_probability <= other._log_probability + LEAST_GAIN:
            return False
        if len(self.scales.by_logarithm) <= len(other.scales.by_logarithm):
            return True
        gained = self._log_densities - other._log_densities
        better = np.argsort(-self._values, kind="stable")[: math.ceil(BETTER * len(self._values))]
        return bool(min(gained.sum(), gained[better].sum()) > LEAST_GAIN)

    @property
    def _log_probability(self) -> float:
        """Of the likeliest hypothesis, and of each outcome and further objective, with the scales of all."""
        standing = self._standing
        beside = [*(found for _, found in standing.outcomes), *standing.further]
        modelled = sum(found.log_probability for found in (standing.candidates[0], *beside))
        return modelled + log_prior(self.scales, self.told)

    @property
    def _values(self) -> FloatArray:
        """(n,) those of results that have one."""
        return self.history.values[~np.isnan(self.history.values)]

    @cached_property
    def _log_densities(self) -> FloatArray:
        """(n,) of each by all others, as the likeliest hypothesis has it: O(n^3)."""
        leader = mixture(self.problem, self.history, self.refit, self._standing).leader
        values, off, variances = leader.left_out()
        standardised = -0.5 * (off**2 / variances + np.log(2.0 * np.pi * variances))
        return standardised + leader.scale.log_slopes(leader.scale.undo(values))

    @cached_property
    def _standing(self) -> Standing:
        return Standing.of(self.refit.payload)
