"""Which coordinates look as if they counted by their logarithms: a glance at what a refit of `auto` found.

By the likeliest hypothesis alone, fitted a little to the same values with one coordinate after the other on
another scale: which scale there is to be is decided by all hypotheses, where this finds one that is likelier.

Notation: n results, D coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from orchestrator.algorithms.base import Problem, Refit
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.exact_or_noisy import taken_for
from orchestrator.algorithms.mixture.hypotheses import Form, Found, Hypothesis
from orchestrator.algorithms.mixture.hypothesis_fitter import FitEffort, HypothesisFitter
from orchestrator.algorithms.mixture.hypothesis_weighing import fitter_under
from orchestrator.algorithms.mixture.kept import Kept
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.by_logarithm import ByLogarithm, Scales, may_be_by_logarithm
from orchestrator.unit_cube.domain import Domain

# Over how many times the least distance from an end the logarithm goes: about one decade, three, five.
RATIOS = (10.0, 1e3, 1e5)
FIRST_TRIED = 1e3
# Of how many coordinates, those for which that one is likeliest, the other ratios are tried.
TRIED_FURTHER = 3
# So many coordinates change their scales at once.
MOST_CHANGES = 3
# Beside its share of what is equally likely beforehand, by how many nats a scale is less likely than none.
LOG_PRIOR = -2.0
# A glance has to find so much more, and something not so much less likely than the leader as it is.
LEAST_SEEN, FAR_BELOW = 0.5, 3.0
MOST_LOOKED_AT = 60
"""Of more results those about the best point decide, which may look so whatever the parameters count by."""
# Of more coordinates a glance at the scales of each takes long.
MOST_COORDINATES = 40
A_LITTLE, AT_FIRST = FitEffort(1, 8), FitEffort(1, 25)
# What stands for a hypothesis that took long to find, or sees more than coordinates.
PLAIN_FAMILY = "matern-5/2"
NOT_TRIED: tuple[Form, ...] = ("waves", "factors", "paraboloid", "related")


def may_have_scales(problem: Problem) -> bool:
    """Whether coordinates may be seen so: where each may have any position, whatever the others are, and
    models are of objectives, of outcomes and of whether evaluations succeed, and of nothing else.
    """
    domain = problem.domain
    apart = (problem.off, problem.clock, problem.fidelity)
    others = problem.blocks or problem.sums or problem.related
    return (
        domain.is_product
        and domain.dimension <= MOST_COORDINATES
        and not (others or any(part is not None for part in apart))
        and any(map(may_be_by_logarithm, domain.coordinates))
    )


def log_prior(scales: Scales, domain: Domain) -> float:
    """Of so many of the scales that there might be in a domain."""
    each = math.log(2.0 * len(RATIOS) * domain.dimension)
    return len(scales.by_logarithm) * (LOG_PRIOR - each)


@dataclass(frozen=True, eq=False)
class Glance:
    """Of a ``fitter``, whose inputs are those of a ``domain`` seen on the ``scales`` that there are now, and
    the ``leader`` among its hypotheses.
    """

    domain: Domain
    scales: Scales
    fitter: HypothesisFitter
    leader: Found

    @classmethod
    def after(cls, refit: Refit, problem: Problem, history: History, told: Domain, scales: Scales) -> Glance:
        """At what a ``refit`` left of a ``problem`` and its ``history``, which are seen on the ``scales``;
        the domain as it was ``told``. Raises FactorisationError.
        """
        standing = Standing.of(refit.payload)
        leader = standing.candidates[0]
        held = Kept(problem, history, refit.number, refit.observations, refit.payload["noisy"]).by_fits
        (scale,) = (s for warped, s in refit.payload["scales"] if warped == leader.hypothesis.warped)
        exact = taken_for(problem, exact=standing.exact)
        fitter = fitter_under(exact, held, Standardisation.from_json(scale))
        return cls(told, scales, fitter, leader)

    def likelier(self) -> Scales:
        """The scales that are likeliest so: those that there are, unless others are by half a nat."""
        try:
            found = self._fitted(self.scales, self._start, A_LITTLE)
        except FactorisationError:
            return self.scales
        best = (found.log_probability + log_prior(self.scales, self.domain), self.scales, found)
        for _ in range(MOST_CHANGES):
            changed = self._best_change(best[1], best[2])
            if changed is None or changed[0] <= best[0] + LEAST_SEEN:
                break
            best = changed
        as_it_is = self.leader.log_probability + log_prior(self.scales, self.domain)
        return best[1] if best[0] > as_it_is - FAR_BELOW else self.scales

    def _best_change(self, scales: Scales, found: Found) -> tuple[float, Scales, Found] | None:
        first = [scales.changed(j, to) for j in self._positions for to in _first_of(j)]
        tried = self._tried([*first, *(scales.changed(j, None) for j in scales.of)], scales, found)
        nearest = list(dict.fromkeys(_only_change(scales, one[1]) for one in tried))[:TRIED_FURTHER]
        further = [scales.changed(j, to) for j in nearest for to in _others_of(j)]
        tried += self._tried(further, scales, found)
        return max(tried, key=lambda one: one[0], default=None)

    def _tried(self, others: list[Scales], scales: Scales, found: Found) -> list[tuple[float, Scales, Found]]:
        """The likeliest first."""
        tried = []
        for other in others:
            if other == scales:
                continue
            try:
                fitted = self._fitted(other, found, A_LITTLE)
            except FactorisationError:
                continue
            tried.append((fitted.log_probability + log_prior(other, self.domain), other, fitted))
        return sorted(tried, key=lambda one: -one[0])

    @cached_property
    def _positions(self) -> dict[int, FloatArray]:
        """(n,) of each coordinate that may count by its logarithm, as they were told."""
        of, X = self.scales.of, self.fitter.data.X
        found = {}
        for j, coordinate in enumerate(self.domain.coordinates):
            if may_be_by_logarithm(coordinate):
                column = X[:, self._columns[j]]
                found[j] = of[j].told(column) if j in of else column
        return found

    @cached_property
    def _columns(self) -> dict[int, int]:
        """The first embedded one of each coordinate."""
        parameters = self.domain.embedded_parameter
        return {int(j): int(np.searchsorted(parameters, j)) for j in np.unique(parameters)}

    @cached_property
    def _start(self) -> Found:
        hypothesis = self.leader.hypothesis
        if hypothesis.form not in NOT_TRIED:
            return self.leader
        plain = Hypothesis("joint", PLAIN_FAMILY, False, hypothesis.warped)
        return self.fitter.fit(plain, None, None, AT_FIRST)

    def _fitted(self, scales: Scales, warm: Found, effort: FitEffort) -> Found:
        X, of = self.fitter.data.X.copy(), scales.of
        for j, positions in self._positions.items():
            X[:, self._columns[j]] = of[j].seen(positions) if j in of else positions
        fitter = replace(self.fitter, data=replace(self.fitter.data, X=X))
        return fitter.fit(warm.hypothesis, None, warm, effort)


def _first_of(coordinate: int) -> Iterator[ByLogarithm]:
    return (ByLogarithm(coordinate, upper, FIRST_TRIED) for upper in (False, True))


def _others_of(coordinate: int) -> Iterator[ByLogarithm]:
    others = [ratio for ratio in RATIOS if ratio != FIRST_TRIED]
    return (ByLogarithm(coordinate, upper, ratio) for upper in (False, True) for ratio in others)


def _only_change(scales: Scales, other: Scales) -> int:
    """The coordinate that has another scale in one than in the other."""
    before, after = scales.of, other.of
    return next(j for j in {*before, *after} if before.get(j) != after.get(j))
