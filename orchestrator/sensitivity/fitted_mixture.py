"""The mixture of `auto`, fitted once to results: on the scales of parameters on which these are likeliest.

Notation: D parameters, n results.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from orchestrator.algorithms.base import Problem, Refit
from orchestrator.algorithms.mixture.belief import MixtureBelief
from orchestrator.algorithms.mixture.conditioned import mixture
from orchestrator.algorithms.mixture.likelier_scales import MOST_LOOKED_AT, may_have_scales
from orchestrator.algorithms.mixture.refit import FEWEST_BETWEEN_WEIGHINGS, AutoRefit
from orchestrator.algorithms.mixture.seen_on_scales import SeenOnScales
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.sensitivity.measured import Measured, designed
from orchestrator.unit_cube.by_logarithm import Scales

FEW = 32
"""Results, of which each may decide which hypotheses are likely, and on which scales: of more, these are the
likely ones whichever of them are left out.
"""


@dataclass(frozen=True, eq=False)
class FittedMixture:
    """What was ``seen`` on some scales, and what a fit to it left ``standing`` for others to go on from."""

    seen: SeenOnScales
    standing: Standing

    @classmethod
    def on(
        cls, problem: Problem, measured: Measured, scales: Scales, before: Standing | None = None
    ) -> FittedMixture:
        """Of all that was ``measured``, on these scales. Of what was ``before`` the likeliest hypotheses are
        fitted alone, from where they were; where a decomposition is among them that was found, all that were
        not out of the question are weighed again.
        """
        there = problem if not scales else replace(problem, domain=scales.domain(problem.domain))
        history = replace(measured, points=scales.seen(measured.points)).history(there)
        warm = Standing() if before is None else _again(before, problem, len(measured))
        payload = AutoRefit(there, history, 1, designed(problem), warm).compute()
        standing = Standing.of(payload)
        history.offset_variance = standing.offset_variance
        refit = Refit(1, len(history), payload)
        return cls(SeenOnScales(problem.domain, scales, there, history, refit), standing)

    @classmethod
    def on_likeliest_scales(
        cls, problem: Problem, measured: Measured, before: Standing | None = None
    ) -> FittedMixture:
        """As `auto` finds them, whichever algorithm chose points: of more results by the first of them, as
        later ones may all lie about the best. Where derivatives are told, on those that these are by. Of what
        was ``before``, no more is taken over than what other experiments found.
        """
        known = Standing() if before is None else Standing(related=before.related)
        looks = may_have_scales(problem) and not (problem.derivatives and measured.derivatives is not None)
        if not looks:
            return cls.on(problem, measured, Scales(), known)
        first = measured.at(np.arange(min(len(measured), MOST_LOOKED_AT)))
        found = _likelier(problem, first, cls.on(problem, first, Scales(), known), known)
        return found if len(first) == len(measured) else cls.on(problem, measured, found.seen.scales, known)

    @property
    def belief(self) -> MixtureBelief:
        """What is believed by it."""
        seen = self.seen
        return mixture(seen.problem, seen.history, seen.refit, self.standing)


def may_be_likelier(problem: Problem, measured: Measured, plain: SeenOnScales) -> bool:
    """Whether what was ``measured``, as far as it is looked at, looks likelier on other scales than as it was
    told: ``plain``, with a refit by all of it.
    """
    if not may_have_scales(problem):
        return False
    if len(measured) > MOST_LOOKED_AT:
        plain = FittedMixture.on(problem, measured.at(np.arange(MOST_LOOKED_AT)), Scales()).seen
    try:
        return bool(plain.likelier_at_a_glance())
    except FactorisationError:
        return False


def _again(before: Standing, problem: Problem, results: int) -> Standing:
    """What was ``before``, if anything, of which hypotheses are to be weighed again, or fitted."""
    if not before.candidates:
        return before
    # What is found of many decompositions fits well the results by which it was found.
    found = problem.factors is None and any(one.factors is not None for one in before.candidates)
    weighed = -FEWEST_BETWEEN_WEIGHINGS if found else results
    return replace(before, weighed=weighed)


def _likelier(problem: Problem, measured: Measured, plain: FittedMixture, known: Standing) -> FittedMixture:
    """One on other scales, if results are likelier there, with what is ``known`` besides, else ``plain``."""
    try:
        scales = plain.seen.likelier_at_a_glance()
        if not scales:
            return plain
        otherwise = FittedMixture.on(problem, measured, scales, known)
    except FactorisationError:
        return plain
    return otherwise if otherwise.seen.is_likelier_than(plain.seen) else plain
