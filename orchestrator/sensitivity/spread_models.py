"""Models of the quantities of which it is asked how they are spread, and what they say of that.

Notation: N settings, K functions, D coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.arrays import FloatArray
from orchestrator.expressions.constraints import Constraint
from orchestrator.expressions.values import hold_at
from orchestrator.numerics.moments import moments
from orchestrator.numerics.rng import stream
from orchestrator.parameters.space import Space
from orchestrator.parameters.uncertain import UncertainSettings
from orchestrator.sensitivity.calibration import Calibration, calibrated
from orchestrator.sensitivity.composed import ComposedModel
from orchestrator.sensitivity.composed_draws import (
    composed_of,
    drawn_outcomes,
    expected_numbers,
    numbers_modelled,
)
from orchestrator.sensitivity.draws_by_targets import drawn_by_targets
from orchestrator.sensitivity.function_draws import drawn_functions
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.spread import (
    FUNCTIONS,
    DrawnSettings,
    Spread,
    drawn_settings,
    settings_at_once,
    spread,
)
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.sensitivity.variance_shares import VarianceShares, shares_among

SUCCESSES = 1024
"""Of the settings, at which it is asked whether evaluations succeed."""
EXPECTED = 1024
"""Of the settings that are plausible as if models were sure, at which it is asked what these expect."""


@dataclass(frozen=True, eq=False, slots=True)
class ComposedQuantities:
    """A ``model`` of a value that is computed, by ``name``, and the ``numbers`` that it is computed of."""

    name: str
    model: ComposedModel
    numbers: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class SpreadModels:
    """Of each quantity ``alone`` a model, by name, and what belongs to a value that is computed, first."""

    problem: Problem
    alone: Mapping[str, ResultsModel]
    composed: ComposedQuantities | None = None

    @property
    def named(self) -> dict[str, ValueModel]:
        """Each model by what it is of; that of a value that is computed is of what it is computed of, too."""
        computed = {} if self.composed is None else {self.composed.name: self.composed.model}
        return {**computed, **self.alone}

    @property
    def settings(self) -> int:
        """How many there are to be, N."""
        of_composed = 0
        if self.composed is not None:
            of_composed = numbers_modelled(self.composed.model) + len(self.composed.numbers) + 1
        return settings_at_once(len(self.alone) + of_composed)

    def about(self, uncertain: UncertainSettings) -> DrawnSettings:
        """Those that come up."""
        rng = stream(self.problem.seed, "spread settings", len(uncertain.parts), self._results)
        return drawn_settings(uncertain, self.settings, rng)

    def plausible(
        self, problem: Problem, failed: FloatArray, *, scaled: bool = False
    ) -> tuple[DrawnSettings, Calibration]:
        """Those that are plausible by a fit, and by what is known beforehand as a ``problem`` says it, and
        the calibration of just these, in their order; (f, D) points failed. ``scaled``: as `calibrated` has
        it. Raises UsageError as that does.
        """
        assert self.composed is not None, "who asks knows that it is a fit"
        found = calibrated(problem, self.composed.model, failed, self.settings, scaled=scaled)
        rng = stream(self.problem.seed, "spread settings, plausible", self._results)
        order = rng.permutation(len(found.points))
        factors = None if found.factors is None else found.factors[order]
        found = replace(found, points=found.points[order], factors=factors)
        return DrawnSettings(found.points, min(found.effective, float(len(order)))), found

    def spread(
        self,
        space: Space,
        settings: DrawnSettings,
        limits: Sequence[Constraint],
        by_fit: Calibration | None = None,
    ) -> Spread:
        """Over settings. ``by_fit``: these are plausible by one, and what outcomes are believed to be there
        is held against what they were measured to be, too.
        """
        found = spread(space, settings, self._drawn(settings.points, by_fit), limits)
        if by_fit is None:
            return found
        by_models = self._by_models(found, by_fit)
        told = {name: replace(own, by_models=by_models[name]) for name, own in found.quantities.items()}
        return replace(found, quantities=told)

    def shares(self, uncertain: UncertainSettings) -> dict[str, VarianceShares]:
        """Of each quantity, by name: how much of the variance of what is expected of it each part is a reason
        of.
        """
        found = {}
        for name, expected in self._expected().items():
            rng = stream(self.problem.seed, "spread shares", len(uncertain.parts), self._results)
            found[name] = shares_among(expected, uncertain.placed, uncertain.reasons, rng)
        return found

    def _by_models(self, found: Spread, by_fit: Calibration) -> dict[str, float]:
        """Of each quantity, by name: if models knew everything, fewer settings would be plausible, too."""
        rows = np.linspace(0, len(by_fit.of_means) - 1, min(EXPECTED, len(by_fit.of_means))).astype(int)
        shares = {}
        for name, expected in self._expected().items():
            if name not in found.quantities:
                continue
            left = float(moments(expected(by_fit.of_means[rows])[:, None])[1][0])
            figures = found.quantities[name].figures
            whole = math.hypot(figures["deviation"].expected, figures["mean"].deviation)
            shares[name] = 0.0 if whole <= left else 1.0 - (left / whole) ** 2
        return shares

    @property
    def _results(self) -> int:
        return next(iter(self.named.values())).measured

    def _drawn(self, points: FloatArray, by_fit: Calibration | None) -> dict[str, FloatArray]:
        drawn = dict[str, FloatArray]()
        if self.composed is not None:
            rng = stream(self.problem.seed, "spread, composed", self._results)
            model = self.composed.model
            if by_fit is None:
                found = drawn_outcomes(model, points, FUNCTIONS, rng)
            else:
                numbers = drawn_by_targets(by_fit.likelihood, points, FUNCTIONS, rng, by_fit.factors)
                found = composed_of(model, points, numbers)
            drawn[self.composed.name] = found.value
            drawn |= dict(zip(self.composed.numbers, np.moveaxis(found.numbers, 2, 0), strict=True))
        for i, (name, alone) in enumerate(self.alone.items()):
            rng = stream(self.problem.seed, "spread", i, self._results)
            drawn[name] = drawn_functions(alone, points, FUNCTIONS, rng)
        return drawn

    def _expected(self) -> dict[str, Callable[[FloatArray], FloatArray]]:
        """Of each quantity (m,) values expected at (m, D) points."""
        found = dict[str, Callable[[FloatArray], FloatArray]]()
        if self.composed is not None:
            model = self.composed.model
            found[self.composed.name] = model.expected
            for j, name in enumerate(self.composed.numbers):
                found[name] = _Column(model, j)
        return found | {name: model.expected for name, model in self.alone.items()}


@dataclass(frozen=True, eq=False, slots=True)
class _Column:
    """What one of the outcomes that a value is computed of is expected to be."""

    model: ComposedModel
    column: int

    def __call__(self, points: FloatArray) -> FloatArray:
        return expected_numbers(self.model, points)[:, self.column]


def succeed(success: SuccessBelief | None, space: Space, settings: DrawnSettings) -> float:
    """How likely an evaluation is to, 1 where none has failed."""
    if success is None:
        return 1.0
    rows = np.linspace(0, len(settings.points) - 1, min(SUCCESSES, len(settings.points))).astype(int)
    return float(success.probability(space.domain.embed(settings.points[rows])).mean())


def seen_broken(limit: Constraint, results: Sequence[Mapping[str, float]]) -> tuple[int, int]:
    """By how many results a limit is broken, of how many that bring all that it is about."""
    names = {name.name for name in limit.names}
    known = [one for one in results if names <= one.keys()]
    if not known:
        return 0, 0
    arrays = {name: np.array([one[name] for one in known]) for name in names}
    return int((~hold_at(limit, arrays, len(known))).sum()), len(known)
