"""What becomes of points where their settings are off by a little.

Each of some parameters is off by up to its tolerance, evenly, independently of the others, and never beyond
its bounds.

Notation: D parameters, T of them with a tolerance, k points, m ways to be off, C outcomes with constraints.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import qmc

from orchestrator.algorithms.base import Problem
from orchestrator.arithmetic_values import hold_at
from orchestrator.arrays import FloatArray
from orchestrator.constraints import Constraint
from orchestrator.domain import Domain
from orchestrator.errors import UsageError
from orchestrator.ordered_parameter import OrderedParameter
from orchestrator.parameter_kinds import FloatParameter
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.space import Parameter, Space
from orchestrator.spelling import did_you_mean, listed

POOR = 0.05
"""The share of the values that are poorer than the poor one that is told."""

Measurable = FloatParameter | OrderedParameter


@dataclass(frozen=True, eq=False)
class Tolerances:
    """By how much parameters of a space may be off: ``widths`` are positive, in each parameter's own units.
    An answer lies where parameters are ``held``, off as they may be, too.

    Raises UsageError for one that is not, and for a parameter that is no number between whose values there
    are others.
    """

    space: Space
    widths: Mapping[str, float]
    held: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.widths:
            raise UsageError("expected a tolerance for one parameter at least, got none")
        for name, width in self.widths.items():
            if not isinstance(self._parameter(name), Measurable):
                raise UsageError(
                    f"expected a parameter of type float to be off by a little, got `{name}`, which is none"
                )
            if not (math.isfinite(width) and width > 0.0):
                raise UsageError(f"expected a tolerance above 0 of `{name}`, got {width!r}")

    def sought(self, problem: Problem) -> Domain:
        """The part of a problem's domain in which answers lie."""
        held = {self.space.index(name): value for name, value in self.held.items()}
        places = {i: self.space.parameters[i].encode(value) for i, value in held.items()}
        return problem.sought.holding(places) if places else problem.sought

    def drawn(self, count: int, rng: np.random.Generator, beside: int = 0) -> FloatArray:
        """(m, T + beside) numbers in (0, 1) that fill the cube evenly; ``count`` is a power of two."""
        return np.asarray(qmc.Sobol(len(self.widths) + beside, seed=rng).random(count))

    def around(self, points: FloatArray, drawn: FloatArray) -> tuple[FloatArray, dict[str, FloatArray]]:
        """(k m, D) positions of (k, D) points that are off in (m, T + ...) ways, those of each point
        together; and by name the (k m,) values there of those parameters that may be off.
        """
        off = np.repeat(points, len(drawn), axis=0)
        values: dict[str, FloatArray] = {}
        for way, (name, width) in zip(drawn.T, self.widths.items(), strict=False):
            i, parameter = self.space.index(name), self._parameter(name)
            assert isinstance(parameter, Measurable)
            meant = np.array([parameter.decode(float(x)) for x in points[:, i]], dtype=float)
            numbers, positions = _between(parameter)
            shifted = (meant[:, None] + width * (2.0 * way - 1.0)).ravel()
            values[name] = np.clip(shifted, numbers[0], numbers[-1])
            off[:, i] = _positions(parameter, values[name], numbers, positions)
        return off, values

    def _parameter(self, name: str) -> Parameter | None:
        if name in self.space.fixed:
            raise UsageError(f"expected a parameter that varies, got `{name}`, which is fixed")
        if name not in self.space.names:
            known = list(self.space.names)
            raise UsageError(
                f"expected a parameter, {listed(known)}, got `{name}`{did_you_mean(name, known)}"
            )
        parameter = self.space.parameters[self.space.index(name)]
        if isinstance(parameter, OrderedParameter) and not parameter.all_numbers:
            return None
        return parameter


def _between(parameter: Measurable) -> tuple[FloatArray, FloatArray]:
    """Numbers, ascending, and their positions, between which there are others."""
    if isinstance(parameter, FloatParameter):
        return np.array([parameter.low, parameter.high], dtype=float), np.array([0.0, 1.0])
    positions = parameter.coordinate.grid if parameter.coordinate.positions else np.array([0.0, 1.0])
    numbers = np.array([parameter.decode(float(x)) for x in positions], dtype=float)
    ascending = np.argsort(numbers)
    return numbers[ascending], positions[ascending]


def _positions(
    parameter: Measurable, values: FloatArray, numbers: FloatArray, positions: FloatArray
) -> FloatArray:
    if parameter.scale == "log":
        values, numbers = np.log(values), np.log(numbers)
    return np.interp(values, numbers, positions)


@dataclass(frozen=True, eq=False)
class OutcomeModels:
    """``models`` of outcomes, by name, and the ``constraints`` on them, which may name parameters of the
    ``space``, too.
    """

    space: Space
    constraints: tuple[Constraint, ...]
    models: Mapping[str, ResultsModel]

    def hold(
        self, points: FloatArray, off: FloatArray, known: Mapping[str, FloatArray], luck: FloatArray
    ) -> FloatArray:
        """(k,) the share of the ways to be off in which all of them hold: at (k m, D) positions ``off`` of
        (k, D) points, where some parameters have the ``known`` (k m,) values, and outcomes are drawn
        of what is believed as (m, C) ``luck`` in (0, 1) says, of each outcome its own.
        """
        ways = len(luck)
        if not self.constraints:
            return np.ones(len(points))
        values = {name: np.full(len(off), value) for name, value in _numbers(self.space.fixed).items()}
        values |= self._of_parameters(points, ways)
        values |= known
        for (name, model), own in zip(self.models.items(), luck.T, strict=True):
            values[name] = model.drawn(off, np.tile(own, len(points)))
        holds = np.ones(len(off), dtype=bool)
        for constraint in self.constraints:
            holds &= hold_at(constraint, values, len(off))
        return np.asarray(holds.reshape(len(points), ways).mean(axis=1))

    def _of_parameters(self, points: FloatArray, ways: int) -> dict[str, FloatArray]:
        """By name (k m,) values, as set, of those that are named."""
        named = {name.name for constraint in self.constraints for name in constraint.names}
        told = [_numbers(self.space.decode(point)) for point in points]
        return {
            name: np.repeat([one.get(name, math.nan) for one in told], ways)
            for name in named & set(self.space.names)
        }


def _numbers(told: Mapping[str, object]) -> dict[str, float]:
    return {name: float(value) for name, value in told.items() if isinstance(value, int | float)}


@dataclass(frozen=True, eq=False, slots=True)
class Behaviour:
    """Of one (D,) ``point``: the value expected ``as_set``; the ``average`` of what is expected where it is
    off, and the ``poor`` value that one in twenty is poorer than; and how likely it is, both what is off and
    what the models do not know being left to chance, to be ``satisfied`` of all constraints on outcomes, 1
    where there are none.
    """

    point: FloatArray
    as_set: float
    average: float
    poor: float
    satisfied: float


@dataclass(frozen=True, eq=False)
class Tolerated:
    """What models say of points that are off within ``tolerances``. ``sign``: -1 where low is good."""

    tolerances: Tolerances
    model: ResultsModel
    outcomes: OutcomeModels
    sign: float

    def drawn(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(m, T + C) numbers in (0, 1), as `Tolerances` draws them: of each row the last C are for what the
        models of outcomes do not know, each by itself.
        """
        return self.tolerances.drawn(count, rng, len(self.outcomes.models))

    def roughly(self, points: FloatArray, drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(k,) averages of the value at (k, D) points, and (k,) shares satisfied."""
        off, known = self.tolerances.around(points, drawn)
        average = self.model.expected(off).reshape(len(points), -1).mean(axis=1)
        return average, self.outcomes.hold(points, off, known, self._luck(drawn))

    def behaviour(self, point: FloatArray, drawn: FloatArray) -> Behaviour:
        """Of one (D,) point."""
        one = point[None, :]
        off, known = self.tolerances.around(one, drawn)
        values = self.sign * self.model.expected(off)
        return Behaviour(
            point,
            float(self.model.expected(one)[0]),
            self.sign * float(values.mean()),
            self.sign * float(np.quantile(values, POOR)),
            float(self.outcomes.hold(one, off, known, self._luck(drawn))[0]),
        )

    def _luck(self, drawn: FloatArray) -> FloatArray:
        return drawn[:, len(self.tolerances.widths) :]
