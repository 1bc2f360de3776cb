"""An objective that nobody measures: it is computed from the outcomes that evaluations return.

By a formula, such as ``(lift - 3.2) ** 2 + drag``, of outcomes and of parameters that are numbers; or as the
misfit to what was measured, the sum of squares of what each outcome is off its target by, in units of the
target's error, where an outcome may be a curve of many points, and errors may hang together.

Notation: m outcomes, D coordinates, S draws, k points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from orchestrator.acquisition.curve_components import Curve, CurveComponents
from orchestrator.acquisition.known_function import KnownFunction, Targets
from orchestrator.acquisition.sum_of_squares import SumOfSquares
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.error_covariance import Rows, covariance_beside, with_errors_of
from orchestrator.errors import SpecError
from orchestrator.expressions.arithmetic import Expression, names_in
from orchestrator.expressions.of_outcomes import formula_of_outcomes
from orchestrator.expressions.slopes import differentiated
from orchestrator.expressions.values import values_of
from orchestrator.fit_targets import MOST_TARGETS, AnyTarget, CurveTarget, target_of
from orchestrator.parameters.nameable import constants_among, nameable
from orchestrator.parameters.space import Space
from orchestrator.values.curve import Outcomes
from orchestrator.values.named import Values

if TYPE_CHECKING:
    from orchestrator.acquisition.whitening import Whitening


@dataclass(frozen=True)
class Misfit:
    """sum_j ((y_j - target_j) / error_j)^2 of the outcomes that have ``targets``, of a curve over all of its
    points; ``sign`` is 1 of what is maximised, -1 of what is minimised. Of M numbers in all whose errors hang
    together by an (M, M) ``covariance``, it is r' covariance^-1 r of what they are off, r: see `misfit_to`.
    """

    targets: Mapping[str, AnyTarget]
    sign: float
    dimension: int
    covariance: Rows | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The outcomes that it is computed from."""
        return tuple(self.targets)

    @property
    def without_errors(self) -> tuple[str, ...]:
        """The outcomes of which nobody told by how much they may be off."""
        return tuple(name for name, one in self.targets.items() if not one.told)

    @cached_property
    def points(self) -> Mapping[str, int]:
        """Of how many points the outcomes are that are curves."""
        targets = self.targets.items()
        return {name: len(one.values) for name, one in targets if isinstance(one, CurveTarget)}

    @property
    def places(self) -> Mapping[str, Sequence[float]]:
        """Where their points are, of those of which that is told."""
        targets = self.targets.items()
        return {
            name: one.places
            for name, one in targets
            if isinstance(one, CurveTarget) and one.places is not None
        }

    @property
    def outcomes(self) -> int:
        """See `KnownFunction`: a curve has as many as points."""
        return self._squares.outcomes

    @property
    def named(self) -> BoolArray:
        """See `KnownFunction`: none."""
        return self._squares.named

    @property
    def units(self) -> FloatArray:
        """See `KnownFunction`."""
        return self._columns[1]

    @property
    def sought(self) -> Targets:
        """See `KnownFunction`."""
        return replace(self._squares.sought, without_errors=self.without_errors)

    @property
    def curves(self) -> Sequence[Curve]:
        """See `KnownFunction`."""
        return self._curves(self.units)

    @cached_property
    def whitening(self) -> Whitening | None:
        """See `KnownFunction`. Outcomes that are numbers come before curves."""
        if self.covariance is None:
            return None
        # SciPy, which reading a spec is to do without.
        from orchestrator.acquisition.whitening import Whitening

        values, covariance = self._columns[0], np.array(self.covariance)
        in_curve = np.zeros(len(values), dtype=bool)
        for one in self.curves:
            in_curve[one.columns] = True
        return Whitening.of(values, covariance, np.argsort(in_curve, kind="stable"))

    @property
    def whitened(self) -> KnownFunction:
        """See `KnownFunction`."""
        return self._squares

    def value(self, parameters: Values, outcomes: Outcomes) -> float:
        """Of an evaluation, in the objective's own sense; infinite where it is too large for a double."""
        del parameters
        told = (_points(outcomes[name]) for name in self.targets)
        pairs = zip(told, self.targets.values(), strict=True)
        if self.whitening is not None:
            return self._whitened_value(np.array([point for points in told for point in points]))
        squares = (
            (came - value) / error
            for points, target in pairs
            for came, value, error in zip(points, *_columns(target), strict=True)
        )
        try:
            return math.fsum(apart**2 for apart in squares)
        except OverflowError:
            return math.inf

    def values(self, outcomes: FloatArray, points: FloatArray) -> FloatArray:
        """See `KnownFunction`."""
        own = outcomes if self.whitening is None else self.whitening.whitened(outcomes)
        return self._squares.values(own, points)

    def values_and_slopes(self, outcomes: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `KnownFunction`."""
        if self.whitening is None:
            return self._squares.values_and_slopes(outcomes, points)
        values, slopes = self._squares.values_and_slopes(self.whitening.whitened(outcomes), points)
        return values, self.whitening.pulled_back(slopes)

    def of_components(self, components: Sequence[CurveComponents]) -> KnownFunction:
        """See `KnownFunction`."""
        return self._squares.of_components(components)

    def of_components_and_rests(self, components: Sequence[CurveComponents]) -> KnownFunction:
        """See `KnownFunction`."""
        return self._squares.of_components_and_rests(components)

    def rests(self, components: Sequence[CurveComponents], outcomes: FloatArray) -> FloatArray:
        """See `KnownFunction`."""
        return self._squares.rests(components, outcomes)

    @cached_property
    def _squares(self) -> SumOfSquares:
        values, errors = self._columns
        if self.whitening is not None:
            values, errors = self.whitening.whitened_targets, self.whitening.whitened_errors
        return SumOfSquares(values, errors, self.sign, self.dimension, self._curves(errors))

    @cached_property
    def _columns(self) -> tuple[FloatArray, FloatArray]:
        """(M,) values and errors, of curves every point."""
        parts = zip(*(_columns(target) for target in self.targets.values()), strict=True)
        values, errors = (np.concatenate(one) for one in parts)
        return values, errors

    def _curves(self, units: FloatArray) -> tuple[Curve, ...]:
        curves, first = [], 0
        for target in self.targets.values():
            following = slice(first, first + len(_columns(target)[0]))
            if isinstance(target, CurveTarget):
                curves.append(Curve(following, units[following]))
            first = following.stop
        return tuple(curves)

    def _whitened_value(self, told: FloatArray) -> float:
        total = self.sign * float(self.values(told[None, None], np.empty((1, 0)))[0, 0])
        return math.inf if math.isnan(total) else total


@dataclass(frozen=True)
class OfFormula:
    """An ``expression`` of the outcomes ``names`` and of parameters of a ``space``; ``sign`` as of
    `Misfit`.
    """

    expression: Expression
    names: tuple[str, ...]
    space: Space
    sign: float

    @property
    def outcomes(self) -> int:
        """See `KnownFunction`."""
        return len(self.names)

    @cached_property
    def named(self) -> BoolArray:
        """See `KnownFunction`."""
        return np.array([p.name in self._needed for p in self.space.parameters], dtype=bool)

    @property
    def units(self) -> FloatArray:
        """See `KnownFunction`: arithmetic has none."""
        return np.zeros(self.outcomes)

    @property
    def sought(self) -> None:
        """See `KnownFunction`: it is to be best, and nothing in particular."""
        return None

    @property
    def curves(self) -> Sequence[Curve]:
        """See `KnownFunction`: arithmetic is of numbers."""
        return ()

    @property
    def whitening(self) -> None:
        """See `KnownFunction`: arithmetic has no errors."""
        return None

    @property
    def whitened(self) -> KnownFunction:
        """See `KnownFunction`."""
        return self

    @property
    def points(self) -> Mapping[str, int]:
        """See `Misfit`."""
        return {}

    @property
    def places(self) -> Mapping[str, Sequence[float]]:
        """See `Misfit`: none."""
        return {}

    def of_components(self, components: Sequence[CurveComponents]) -> KnownFunction:
        """See `KnownFunction`."""
        assert not components
        return self

    def of_components_and_rests(self, components: Sequence[CurveComponents]) -> KnownFunction:
        """See `KnownFunction`."""
        return self.of_components(components)

    def rests(self, components: Sequence[CurveComponents], outcomes: FloatArray) -> FloatArray:
        """See `KnownFunction`."""
        assert not components
        return np.zeros((len(outcomes), 0))

    def value(self, parameters: Values, outcomes: Outcomes) -> float:
        """Of an evaluation, in the objective's own sense; NaN where the arithmetic says nothing."""
        constants, given = dict(constants_among(self.space.fixed)), self.space.completed(parameters)
        told: dict[str, Any] = {**constants, **given, **outcomes}
        mentioned = {name.name for name in names_in(self.expression)}
        known = {name: np.array([float(told[name])]) for name in mentioned}
        return float(values_of(self.expression, known, 1)[0])

    def values(self, outcomes: FloatArray, points: FloatArray) -> FloatArray:
        """See `KnownFunction`."""
        found = differentiated(self.expression, self._known(outcomes, points)).value
        return np.asarray(self.sign * np.broadcast_to(found, outcomes.shape[:2]))

    def values_and_slopes(self, outcomes: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `KnownFunction`."""
        found = differentiated(self.expression, self._known(outcomes, points), self.names)
        slopes = np.zeros(outcomes.shape)
        for j, name in enumerate(self.names):
            slopes[:, :, j] = found.slopes.get(name, 0.0)
        return self.sign * np.broadcast_to(found.value, outcomes.shape[:2]), self.sign * slopes

    @cached_property
    def _needed(self) -> frozenset[str]:
        """The parameters that it names, and those that what it names is computed from."""
        mentioned = frozenset(name.name for name in names_in(self.expression)) - frozenset(self.names)
        return mentioned if self.space.following is None else self.space.following.among(mentioned)

    def _known(self, outcomes: FloatArray, points: FloatArray) -> dict[str, FloatArray]:
        known = {name: np.full(len(points), value) for name, value in constants_among(self.space.fixed)}
        for j in np.flatnonzero(self.named):
            own = self.space.parameters[j]
            known[own.name] = own.numbers(points[:, j])
        if self.space.following is not None:
            known |= self.space.following.beside(known, None, len(points))
        return known | {name: outcomes[:, :, j] for j, name in enumerate(self.names)}


ComputedObjective = Misfit | OfFormula


def of_formula(text: object, outcomes: Sequence[str], space: Space, sign: float) -> OfFormula:
    """The objective that a formula says. Raises ArithmeticMistake for what is no arithmetic of outcomes and
    of parameters that are numbers and always count.
    """
    names = nameable(space.parameters, space.fixed, tuple(outcomes), [one.name for one in space.computed])
    expression = formula_of_outcomes(text, names, space.conditions)
    mentioned = {name.name for name in names_in(expression)}
    own = tuple(name for name in outcomes if name in mentioned)
    return OfFormula(expression, own, space, sign)


def misfit_to(
    targets: Mapping[str, AnyTarget], covariance: Rows | None, sign: float, dimension: int
) -> Misfit:
    """The misfit to targets; beside a covariance of their errors these are as it says."""
    own = targets if covariance is None else with_errors_of(covariance, targets)
    return Misfit(own, sign, dimension, covariance)


def misfit_of(
    told: Mapping[str, object], covariance: Sequence[Sequence[object]] | None, space: Space, sign: float
) -> Misfit:
    """The misfit to targets, each by its outcome. Raises SpecError for one that is wrong, and for none, and
    for what is no covariance of their errors.
    """
    if not 1 <= len(told) <= MOST_TARGETS:
        raise SpecError(f"expected the targets of 1 to {MOST_TARGETS} outcomes, got {len(told)}")
    targets = {name: target_of(name, one) for name, one in told.items()}
    rows = None if covariance is None else covariance_beside(covariance, targets)
    return misfit_to(targets, rows, sign, len(space.parameters))


def _columns(target: AnyTarget) -> tuple[Sequence[float], Sequence[float]]:
    if isinstance(target, CurveTarget):
        return target.values, target.errors
    return (target.value,), (target.error,)


def _points(told: float | Sequence[float]) -> Sequence[float]:
    return told if isinstance(told, Sequence) else (told,)
