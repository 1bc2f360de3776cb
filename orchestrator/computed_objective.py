"""An objective that nobody measures: it is computed from the outcomes that evaluations return.

By a formula, such as ``(lift - 3.2) ** 2 + drag``, of outcomes and of parameters that are numbers; or as the
misfit to what was measured, the sum of squares of what each outcome is off its target by, in units of the
target's error.

Notation: m outcomes, D coordinates, S draws, k points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.errors import SpecError
from orchestrator.expressions.arithmetic import Expression, names_in
from orchestrator.expressions.of_outcomes import formula_of_outcomes
from orchestrator.expressions.slopes import differentiated
from orchestrator.expressions.values import values_of
from orchestrator.parameters.nameable import constants_among, nameable
from orchestrator.parameters.space import Space
from orchestrator.spelling import did_you_mean
from orchestrator.values.finite import is_finite, is_number
from orchestrator.values.named import Values

MISFIT = "misfit"
"""What an objective that fits outcomes to targets is called, unless it has a name."""
MOST_TARGETS = 200


@dataclass(frozen=True, slots=True)
class Target:
    """What an outcome is to be, ``value``, and by how much it may well be off, ``error`` > 0."""

    value: float
    error: float = 1.0

    @classmethod
    def of(cls, outcome: str, told: object) -> Target:
        """From a number or ``{"value": 3.2, "error": 0.1}``. Raises SpecError for anything else."""
        parts: Mapping[str, Any] = told if isinstance(told, Mapping) else {"value": told}
        for name in parts:
            if name not in ("value", "error"):
                near = did_you_mean(str(name), ("value", "error"))
                raise SpecError(f"target of `{outcome}`: expected `value` and `error`, got `{name}`{near}")
        value, error = parts.get("value"), parts.get("error", 1.0)
        if value is None or not (is_number(value) and is_finite(value)):
            expected = "expected a finite number, or one with its error, as {value: 3.2, error: 0.1}"
            raise SpecError(f"target of `{outcome}`: {expected}, got {value!r}")
        if not (is_number(error) and is_finite(error) and error > 0):
            raise SpecError(f"target of `{outcome}`: expected an error above 0, got {error!r}")
        return cls(float(value), float(error))


@dataclass(frozen=True)
class Misfit:
    """sum_j ((y_j - target_j) / error_j)^2 of the outcomes that have ``targets``; ``sign`` is 1 of what is
    maximised, -1 of what is minimised.
    """

    targets: Mapping[str, Target]
    sign: float
    dimension: int

    @property
    def names(self) -> tuple[str, ...]:
        """(m,) the outcomes that it is computed from."""
        return tuple(self.targets)

    @property
    def outcomes(self) -> int:
        """See `KnownFunction`."""
        return len(self.targets)

    @property
    def named(self) -> BoolArray:
        """See `KnownFunction`: none."""
        return np.zeros(self.dimension, dtype=bool)

    def value(self, parameters: Values, outcomes: Mapping[str, float]) -> float:
        """Of an evaluation, in the objective's own sense; infinite where it is too large for a double."""
        del parameters
        squares = ((outcomes[name] - one.value) / one.error for name, one in self.targets.items())
        try:
            return math.fsum(apart**2 for apart in squares)
        except OverflowError:
            return math.inf

    def values(self, outcomes: FloatArray, points: FloatArray) -> FloatArray:
        """See `KnownFunction`."""
        return self.values_and_slopes(outcomes, points)[0]

    def values_and_slopes(self, outcomes: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `KnownFunction`."""
        del points
        # What is too large for a double is infinite, and is taken for no number.
        with np.errstate(over="ignore"):
            apart = (outcomes - self._values) / self._errors
            return self.sign * np.square(apart).sum(axis=-1), 2.0 * self.sign * apart / self._errors

    @cached_property
    def _values(self) -> FloatArray:
        return np.array([one.value for one in self.targets.values()])

    @cached_property
    def _errors(self) -> FloatArray:
        return np.array([one.error for one in self.targets.values()])


@dataclass(frozen=True)
class OfFormula:
    """The ``expression`` of a ``text``, of the outcomes ``names`` and of parameters of a ``space``; ``sign``
    as of `Misfit`.
    """

    text: str
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

    def value(self, parameters: Values, outcomes: Mapping[str, float]) -> float:
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
    return OfFormula(str(text).strip(), expression, own, space, sign)


def misfit_of(told: Mapping[str, object], space: Space, sign: float) -> Misfit:
    """The misfit to targets, each by its outcome. Raises SpecError for one that is wrong, and for none."""
    if not 1 <= len(told) <= MOST_TARGETS:
        raise SpecError(f"expected the targets of 1 to {MOST_TARGETS} outcomes, got {len(told)}")
    targets = {name: Target.of(name, one) for name, one in told.items()}
    return Misfit(targets, sign, len(space.parameters))
