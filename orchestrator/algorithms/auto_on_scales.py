"""Auto, where nobody may have said by which scale a parameter counts: it heeds what results say of that.

Notation: D coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import AskKey, Insight, Observation, Problem, Refit, Suggestion
from orchestrator.algorithms.mixture.likelier_scales import Glance, log_prior, may_have_scales
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain

SCALES = "coordinates"
"""Of a refit's payload, what names the scales of coordinates that are not as they were told."""
# By so many nats other scales have to be likelier: with a change, what was known of a region is lost.
LEAST_GAIN = 1.0
# Of more results those about the best point decide, which may look so whatever the parameters count by.
MOST_RESULTS = 60


class AutoOnScales(Auto):
    """`Auto`, which sees parameters by their logarithms where the results are likelier so.

    Whenever a refit of `Auto` has weighed its hypotheses, a glance goes over the scales that coordinates
    might have (`Glance`). Where some look likelier, another `Auto` is told all results as they are seen on
    these, and weighs its hypotheses. If the likeliest of them is likelier than that of before, by its
    evidence and by what scales are worth beforehand, the search goes on there, as if parameters had been told
    so, with a region of its own. Until then it is that of `Auto`, to the bit.

    Source: ours; inputs warped one by one as in Snoek et al. 2014.

    Deviations: a few scales of one shape, weighed against none, and not a family of shapes that is averaged
    over.
    """

    def __init__(self, problem: Problem, options: AutoOptions) -> None:
        super().__init__(problem, options)
        self._given = problem
        self._scales = Scales()
        self._may_have_scales = may_have_scales(problem)
        # Of use only where scales may change.
        self._observations: list[Observation] = []
        self._adopted = 0

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        within = None if key.within is None else self._scales.domain(key.within)
        running = [self._scales.seen(point) for point in pending]
        chosen = super().ask(n, running, replace(key, within=within))
        return [self._as_given(one, key.within) for one in chosen]

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        if self._may_have_scales:
            self._observations += observations
        super().tell(_seen(observations, self._scales))

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`. What it leaves names the scales, if there are any."""
        refit = super().compute_refit(number)
        otherwise = self._on_likelier_scales(refit) if self._may_change(refit) else None
        return _named(refit, self._scales) if otherwise is None else otherwise

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`. On other scales it begins anew, with all that was told."""
        if refit.number <= self._adopted:
            return
        refit.require_told(len(self._history))
        self._adopted = refit.number
        scales = Scales.from_json(refit.payload.get(SCALES, ()))
        if scales != self._scales:
            self._scales = scales
            super().__init__(self._problem_on(scales), self._options)
            super().tell(_seen(self._observations, scales))
        super().adopt(refit)

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`."""
        found = super().recommend(None if within is None else self._scales.domain(within))
        if found is None or not self._scales:
            return found
        told = np.flatnonzero((self._history.points == found.point).all(axis=1))
        if not len(told):
            return self._as_given(found, within)
        # A point that was told is recommended as it was, to the last digit.
        domain = within or self._given.domain
        return replace(found, point=domain.rounded(self._observations[told[0]].point))

    def insight(self) -> Insight:
        """See `Algorithm`. Length-scales are those on the scales that it names."""
        return replace(super().insight(), by_logarithm=self._scales.by_end)

    def _may_change(self, refit: Refit) -> bool:
        """Whether hypotheses were weighed just now, by all results: only so are evidences on other scales of
        the same values.
        """
        if not self._may_have_scales or refit.payload["weighed"] < refit.observations:
            return False
        if Standing.of(refit.payload).wild.aside or self._history.aside.any():
            return False
        return self._history.successes <= MOST_RESULTS

    def _on_likelier_scales(self, refit: Refit) -> Refit | None:
        """What there is instead of a ``refit`` where results are likelier on other scales."""
        try:
            glance = Glance.after(refit, self._problem, self._history, self._given.domain, self._scales)
            scales = glance.likelier()
            if scales == self._scales:
                return None
            otherwise = self._refit_on(scales, refit.number)
        except FactorisationError:
            return None
        before = self._log_probability(refit, self._scales)
        likelier = self._log_probability(otherwise, scales) > before + LEAST_GAIN
        return _named(otherwise, scales) if likelier else None

    def _problem_on(self, scales: Scales) -> Problem:
        return replace(self._given, domain=scales.domain(self._given.domain))

    def _refit_on(self, scales: Scales, number: int) -> Refit:
        """One of a search that always saw the results on these scales."""
        other = Auto(self._problem_on(scales), self._options)
        other.tell(_seen(self._observations, scales))
        return other.compute_refit(number)

    def _log_probability(self, refit: Refit, scales: Scales) -> float:
        """Of the likeliest hypothesis, with its scales."""
        likeliest = Standing.of(refit.payload).candidates[0]
        return likeliest.log_probability + log_prior(scales, self._given.domain)

    def _as_given(self, suggestion: Suggestion, within: Domain | None) -> Suggestion:
        if not self._scales:
            return suggestion
        return replace(suggestion, point=self._scales.told(suggestion.point, within or self._given.domain))


def _seen(observations: Sequence[Observation], scales: Scales) -> Sequence[Observation]:
    if not scales:
        return observations
    return [replace(one, point=scales.seen(one.point)) for one in observations]


def _named(refit: Refit, scales: Scales) -> Refit:
    """A refit that says on which scales it sees the results, if not as they are told."""
    if not scales:
        return refit
    return replace(refit, payload={**refit.payload, SCALES: scales.to_json()})
