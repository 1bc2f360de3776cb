"""What is expected of a value that is computed from outcomes, by models of these and draws of them.

How far draws reach is held against results that models have not seen, as bounds are elsewhere (`held_out`);
their hyperparameters have. What a value is expected to be is the median of what is drawn of it: an outcome
that is divided by may be drawn next to 0.

Notation: D parameters, n results, M outcomes as told, m numbers that are modelled, k and p points, S draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.acquisition.averaged_likelihood import AveragedLikelihood
from orchestrator.acquisition.composite_improvement import Composite
from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.acquisition.outcome_draws import OutcomeDraws, OutcomeGroup
from orchestrator.acquisition.target_likelihood import TargetLikelihood
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.composite.diverged import most_best
from orchestrator.algorithms.composite.modelled_outcomes import ModelledOutcomes
from orchestrator.algorithms.outcomes.outcome_models import (
    GroupFit,
    OutcomesKnown,
    conditioned,
    fits_drawn,
    fitted,
    log_evidence,
)
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.composed_together import ComposedTogether
from orchestrator.sensitivity.drawn_values import deviations_of, expected_of, medians_of
from orchestrator.sensitivity.held_out import FOLDS, MOST, asked_for
from orchestrator.sensitivity.prediction import Expected
from orchestrator.sensitivity.results_model import LeftOut
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import SettingsOff

LOG2_DRAWS = 10
"""1024 draws, of each outcome."""
LOG2_FEW_DRAWS = 6
"""64, where many points are asked about."""
MOST_DRAWN, AVERAGED_OVER = 8, 200
"""Times hyperparameters are drawn, of so many results in all: more say what these are, and are dear."""
NINE_IN_TEN = 1.645
"""Deviations either side of the mean, within which as many values of a normal belief lie."""
WITHIN = (0.02275, 0.97725)
"""Which shares of a normal belief lie below two deviations either side."""


@dataclass(frozen=True, eq=False, slots=True)
class Composing:
    """A known ``function`` of M outcomes, of which (n, M) were ``told`` at (n, D) ``points``, n >= 1.
    ``sign``: -1 where low values are good.
    """

    problem: Problem
    function: KnownFunction
    points: FloatArray
    told: FloatArray
    sign: float

    @property
    def values(self) -> FloatArray:
        """(n,) what results came to, in the value's own sense."""
        return self.sign * np.asarray(self.function.values(self.told[None], self.points)[0])


@dataclass(frozen=True, eq=False, slots=True)
class ComposedExpectation:
    """At p points: of the ``value``, of each outcome that is a number, and of each curve, at each point by
    itself, what all of its own points are expected to be.
    """

    value: Expected
    numbers: Sequence[Expected]
    curves: Sequence[Sequence[Expected]]


@dataclass(frozen=True, eq=False, slots=True)
class ComposedModel:
    """Of what results were ``composing``: models of outcomes in ``groups``. See `ValueModel`."""

    composing: Composing
    modelled_outcomes: ModelledOutcomes
    groups: tuple[OutcomeGroup, ...]
    stretch: float
    fits: tuple[GroupFit, ...]

    @classmethod
    def fitted(cls, composing: Composing) -> ComposedModel:
        """Takes as long as one fit or two: outcomes that are few each have their own kernel, or share one,
        whichever is likelier. Those of one simulator mostly err alike, which those that are apart cannot.
        """
        problem, told = composing.problem, composing.told
        X, aspects = problem.domain.embed(composing.points), problem.domain.embedded_aspect
        values = composing.function.values(told[None], composing.points)[0]
        best = np.argsort(-values, kind="stable")
        modelled = ModelledOutcomes.of(composing.function, X, told, best[: most_best(len(best))]).with_rests
        numbers = modelled.numbers(told)
        rng = stream(problem.seed, "composed predictions, fit", len(X))
        outcomes = OutcomesKnown(X, numbers, aspects, not problem.noise.is_none)
        fits = fitted(outcomes, modelled.groups, rng)
        together = modelled.with_scalars_together
        if together is not modelled:
            others = fitted(outcomes, together.groups, rng)
            known = ~np.isnan(numbers).any(axis=1)
            whole = replace(outcomes, X=X[known], Y=numbers[known])
            apart, shared = (log_evidence(one, whole) for one in (fits, others))
            modelled, fits = (together, others) if shared > apart else (modelled, fits)
        stretch = _stretch(problem, fits, X, numbers)
        return cls(composing, modelled, conditioned(fits, X, numbers, aspects), stretch, fits)

    @property
    def domain(self) -> Domain:
        """See `ValueModel`."""
        return self.composing.problem.domain

    @property
    def likelihood(self) -> TargetLikelihood:
        """Of what was measured, where the function is a misfit to that. Raises ValueError for another."""
        return self._likelihood(self.groups)

    def averaged_likelihood(self) -> AveragedLikelihood:
        """The same on average over what hyperparameters of few results may be. Takes about as long as a fit.
        Raises ValueError as well.
        """
        likeliest, problem, told = self.likelihood, self.composing.problem, self.composing.told
        count = min(MOST_DRAWN, AVERAGED_OVER // len(told))
        if count < 2:
            return AveragedLikelihood(likeliest, (likeliest,))
        numbers = self.modelled_outcomes.numbers(told)
        X, aspects = self.domain.embed(self.composing.points), self.domain.embedded_aspect
        rng = self._rng("hyperparameters drawn")
        outcomes = OutcomesKnown(X, numbers, aspects, not problem.noise.is_none)
        fits = fits_drawn(self.fits, outcomes, count, rng)
        members = [self._likelihood(conditioned(one, X, numbers, aspects)) for one in fits]
        return AveragedLikelihood(likeliest, members)

    def _likelihood(self, groups: Sequence[OutcomeGroup]) -> TargetLikelihood:
        return TargetLikelihood.of(self.domain, self.modelled_outcomes.function, groups, self.stretch)

    @property
    def diverged(self) -> BoolArray:
        """(n,) of which results an outcome is so far off that it says nothing of others."""
        return np.asarray(np.isnan(self.modelled_outcomes.numbers(self.composing.told)).any(axis=1))

    @property
    def scales(self) -> Scales:
        """See `ValueModel`. Outcomes are modelled together, on the scales that were told."""
        return Scales()

    @property
    def hypotheses(self) -> Mapping[str, float]:
        """See `ValueModel`."""
        return {}

    @property
    def modelled(self) -> int:
        """See `ValueModel`."""
        return len(self.composing.told)

    @property
    def measured(self) -> int:
        """See `ValueModel`."""
        return len(self.composing.told)

    def at(self, points: FloatArray) -> ComposedExpectation:
        """At (p, D) points, without noise. Of each the same is said, whatever is asked beside it."""
        scalars = self.modelled_outcomes.scalar_count
        composite, rests = self._composite(LOG2_DRAWS), self._rests()
        values, numbers, curves = list[FloatArray](), list[FloatArray](), list[list[Expected]]()
        for row in range(len(points)):
            one = points[row : row + 1]
            values.append(self.composing.sign * composite.drawn(one))
            drawn = composite.draws.at(self.domain.embed(one))
            numbers.append(self.modelled_outcomes.scalars(drawn))
            curves.append([expected_of(points_drawn) for points_drawn in self._curves(drawn[:, 0], rests)])
        outcomes = np.concatenate(numbers, axis=1)
        return ComposedExpectation(
            expected_of(np.concatenate(values, axis=1)),
            [expected_of(outcomes[:, :, j]) for j in range(scalars)],
            [list(one) for one in zip(*curves, strict=True)],
        )

    def expected(self, points: FloatArray) -> FloatArray:
        """See `ValueModel`."""
        return self._expected(self._drawn(points), points)

    def predicted(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `ValueModel`."""
        drawn = self._drawn(points)
        return self._expected(drawn, points), np.nan_to_num(deviations_of(drawn))

    def together(self, points: FloatArray, off: SettingsOff | None = None) -> ComposedTogether:
        """See `ValueModel`. Beside a tolerance of the spec nothing is computed."""
        assert off is None, "refused beside an objective that is computed"
        function, sign = self.modelled_outcomes.function, self.composing.sign
        expected = self._filled(self.at(points).value.mean)
        X = self.domain.embed(points)
        return ComposedTogether.of(function, self.groups, points, X, (sign, self.stretch), expected)

    def left_out(self) -> LeftOut:
        """By draws of each outcome, its hyperparameters being those fitted to all results."""
        modelled, told = self.modelled_outcomes, self.composing.told
        numbers = modelled.numbers(told)
        rows = np.flatnonzero(~np.isnan(numbers).any(axis=1))
        draws = OutcomeDraws.of(self.groups, LOG2_FEW_DRAWS, self._rng("left out"))
        found = []
        for group, normals in zip(self.groups, draws.normals, strict=True):
            known = np.flatnonzero(~np.isnan(numbers[:, group.columns]).any(axis=1))
            own = np.searchsorted(known, rows)
            apart, deviation = (told_of[own] for told_of in group.model.left_out())
            off = -apart + deviation[None, :, None] * (normals @ group.model.root.T)[:, None, :]
            found.append(numbers[rows][:, group.columns] + group.scale * off)
        points = self.composing.points[rows]
        with np.errstate(all="ignore"):
            predicted = self.composing.sign * modelled.function.values(np.concatenate(found, axis=2), points)
        finite = np.where(np.isfinite(predicted), predicted, np.nan)
        values = self.composing.values[rows]
        within = np.ones(len(rows), dtype=bool)
        for row, column in enumerate(finite.T):
            own_draws = column[~np.isnan(column)]
            if len(own_draws):
                low, high = np.quantile(own_draws, WITHIN)
                within[row] = low <= values[row] <= high
        return LeftOut(values, self._filled(medians_of(finite)), within)

    def _drawn(self, points: FloatArray) -> FloatArray:
        """(S, m) few draws of the value."""
        return self.composing.sign * self._composite(LOG2_FEW_DRAWS).drawn(points)

    def _expected(self, drawn: FloatArray, points: FloatArray) -> FloatArray:
        """(k,) by (S, k) draws. Where outcomes are all alike, nothing is known to change them, and medians of
        so few draws would differ by luck.
        """
        told = self.composing.told
        if not (told == told[0]).all():
            return self._filled(medians_of(drawn))
        alike = np.broadcast_to(told[0], (1, len(points), told.shape[1]))
        with np.errstate(all="ignore"):
            return self._filled(self.composing.sign * self.composing.function.values(alike, points)[0])

    def _composite(self, log2_draws: int) -> Composite:
        plain = OutcomeDraws.of(self.groups, log2_draws, self._rng("composed predictions"))
        draws = replace(plain, normals=[self.stretch * normals for normals in plain.normals])
        return Composite(self.domain, self.modelled_outcomes.function, draws)

    def _rests(self) -> list[FloatArray]:
        """Of each curve (q,) by how much its points are off what components say of them."""
        told = self.modelled_outcomes.seen(self.composing.told)
        rests = []
        for components in self.modelled_outcomes.components:
            seen = told[:, components.curve.columns]
            rests.append(components.rest(seen[~np.isnan(seen).any(axis=1)]))
        return rests

    def _curves(self, drawn: FloatArray, rests: Sequence[FloatArray]) -> Iterator[FloatArray]:
        """Of each curve the (S, q) points, by (S, m) numbers drawn."""
        rng = self._rng("composed predictions, rest")
        left_out = (rest * rng.standard_normal((len(drawn), len(rest))) for rest in rests)
        return self.modelled_outcomes.curves(drawn, left_out)

    def _filled(self, values: FloatArray) -> FloatArray:
        """(k,) values, those that are none as results mostly are."""
        return np.where(np.isfinite(values), values, float(np.median(self.composing.values)))

    def _rng(self, purpose: str) -> np.random.Generator:
        return stream(self.composing.problem.seed, purpose, len(self.composing.told))


def _stretch(problem: Problem, fits: Sequence[GroupFit], X: FloatArray, numbers: FloatArray) -> float:
    """How many times as far draws have to reach by results left out, a fifth at a time, of (n, m) numbers at
    (n, E) inputs; 1 at least.
    """
    count = len(X)
    if count < FOLDS:
        return 1.0
    order = stream(problem.seed, "composed predictions held out", count).permutation(count)
    missed, widths = list[FloatArray](), list[FloatArray]()
    for fold in range(FOLDS):
        rows = np.sort(order[fold::FOLDS])
        others = np.setdiff1d(order, rows)
        for group in conditioned(fits, X[others], numbers[others], problem.domain.embedded_aspect):
            mean, deviation = group.model.beliefs(X[rows])
            root = np.sqrt(np.square(group.model.root).sum(axis=1))
            total = root * np.sqrt(deviation**2 + group.model.noise_variance)[:, None]
            apart = (numbers[rows][:, group.columns] - group.shift) / group.scale - mean
            known = ~np.isnan(apart)
            missed.append((np.abs(apart) / (NINE_IN_TEN * total))[known])
            widths.append(np.broadcast_to(total, apart.shape)[known])
    return float(np.clip(asked_for(np.concatenate(missed), np.concatenate(widths)), 1.0, MOST))
