"""Auto, where nobody may have said by which scale a parameter counts: it heeds what results say of that.

Notation: D coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import AskKey, Insight, Observation, Problem, Refit, Suggestion
from orchestrator.algorithms.mixture.likelier_scales import MOST_LOOKED_AT, may_have_scales
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.mixture.refused_scales import RefusedScales
from orchestrator.algorithms.mixture.seen_on_scales import SeenOnScales
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain

SCALES, REFUSED = "coordinates", "refused"
"""Of a refit's payload, what names the scales of coordinates that are not as they were told, and those that
were refused.
"""


class AutoOnScales(Auto):
    """`Auto`, which sees parameters by their logarithms where the results are likelier so.

    Whenever a refit of `Auto` has weighed its hypotheses, a glance goes over the scales that coordinates
    might have (`Glance`). Where some look likelier, another `Auto` is told all results as they are seen on
    these, and weighs its hypotheses. If the likeliest of them is likelier than that of before
    (`SeenOnScales`), the search goes on there, as if parameters had been told so, with a region of its own;
    if not, these scales are refused until there are half as many results again. Until then it is that of
    `Auto`, to the bit.

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
        """See `Algorithm`. What it leaves names the scales, if there are any, and what was refused."""
        refit = super().compute_refit(number)
        refused = RefusedScales.from_json(self._payload_before.get(REFUSED, ()))
        if self._may_change(refit):
            return self._on_likelier_scales(refit, refused)
        return _named(refit, self._scales, refused)

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`. On other scales it begins anew, with all that was told."""
        if self._learned is not None and refit.number <= self._learned.refit.number:
            return
        refit.require_told(len(self._history))
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
        return self._history.successes <= MOST_LOOKED_AT

    def _on_likelier_scales(self, refit: Refit, refused: RefusedScales) -> Refit:
        """A ``refit``, or what there is instead of it where results are likelier on other scales."""
        results = self._history.successes
        now = SeenOnScales(self._given.domain, self._scales, self._problem, self._history, refit)
        try:
            scales = now.likelier_at_a_glance()
            if scales == self._scales or refused.has(scales, results):
                return _named(refit, self._scales, refused)
            otherwise = self._refit_on(scales, refit.number)
            if otherwise.is_likelier_than(now):
                return _named(otherwise.refit, scales, RefusedScales())
        except FactorisationError:
            return _named(refit, self._scales, refused)
        return _named(refit, self._scales, refused.after(scales, results))

    @property
    def _payload_before(self) -> Mapping[str, Any]:
        """Of the refit that was adopted last."""
        return {} if self._learned is None else self._learned.refit.payload

    def _problem_on(self, scales: Scales) -> Problem:
        hunch = None if self._given.hunch is None else self._given.hunch.on(scales)
        return replace(self._given, domain=scales.domain(self._given.domain), hunch=hunch)

    def _refit_on(self, scales: Scales, number: int) -> SeenOnScales:
        """By one of a search that always saw the results on these scales. Raises FactorisationError."""
        other = Auto(self._problem_on(scales), self._options)
        other.tell(_seen(self._observations, scales))
        refit = other.compute_refit(number)
        return SeenOnScales(self._given.domain, scales, other._problem, other._history, refit)

    def _as_given(self, suggestion: Suggestion, within: Domain | None) -> Suggestion:
        if not self._scales:
            return suggestion
        return replace(suggestion, point=self._scales.told(suggestion.point, within or self._given.domain))


def _seen(observations: Sequence[Observation], scales: Scales) -> Sequence[Observation]:
    if not scales:
        return observations
    return [replace(one, point=scales.seen(one.point)) for one in observations]


def _named(refit: Refit, scales: Scales, refused: RefusedScales) -> Refit:
    """A refit that says on which scales it sees the results, if not as they are told, and which others were
    refused, if any were.
    """
    said: dict[str, Any] = {SCALES: scales.to_json()} if scales else {}
    said |= {REFUSED: refused.to_json()} if refused.refusals else {}
    return replace(refit, payload={**refit.payload, **said}) if said else refit
