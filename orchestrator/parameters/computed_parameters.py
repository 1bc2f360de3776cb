"""What is computed from the parameters of a space, of points of the unit cube and of values.

Notation: n points, D coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.errors import SpecError
from orchestrator.expressions.computed import Computed, in_their_order, mistakes, sources
from orchestrator.expressions.conditions import Condition
from orchestrator.expressions.meant_values import meant_values_of
from orchestrator.parameters.kinds import ChoiceParameter, IntParameter, Parameter
from orchestrator.parameters.nameable import constants_among, nameable
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.values.finite import is_number, written
from orchestrator.values.single_precision import half_a_step
from orchestrator.values.steps import Steps

MOST_ROUNDED = 0.005
"""Of what a number comes of: numbers that are rounded more coarsely do not say whether they agree."""

NEXT_TO_NOTHING = 1e-8
"""Of its larger bound: what is counted and no more than that is 0."""


@dataclass(frozen=True)
class ComputedParameters:
    """Those by ``formulas`` of D parameters and constants by name, each after those that it is computed from.
    ``otherwise`` has the numbers that parameters are where they do not count; what is computed from one that
    has none is not there either. Those that are ``counted`` are 0 where they are so but for rounding.
    """

    parameters: tuple[Parameter, ...]
    constants: tuple[tuple[str, float], ...]
    otherwise: tuple[tuple[str, float], ...]
    conditional: frozenset[str]
    formulas: tuple[Computed, ...]
    counted: frozenset[str] = frozenset()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names, each after those that it is computed from."""
        return tuple(one.name for one in self.formulas)

    @cached_property
    def sources(self) -> Mapping[str, frozenset[str]]:
        """Of each, the parameters that it follows from in the end, chosen or fixed."""
        return sources(self.formulas)

    @cached_property
    def whole(self) -> frozenset[str]:
        """Those whose values are whole numbers."""
        found = {p.name for p in self.parameters if _has_whole_numbers(p)}
        found |= {name for name, value in self.constants if value == int(value)}
        found -= {name for name, value in self.otherwise if value != int(value)}
        for one in self.formulas:
            if one.is_whole(found):
                found.add(one.name)
        return frozenset(found)

    def among(self, names: Iterable[str]) -> frozenset[str]:
        """Names, and what those of them that are computed follow from."""
        told = frozenset(names)
        return told.union(*(self.sources.get(name, frozenset()) for name in told))

    def needed(self, names: Iterable[str]) -> list[str]:
        """Which parameters have to count for these names to have values: not one that has another value
        where it does not.
        """
        spared = dict(self.otherwise)
        found: dict[str, None] = {}
        for name in names:
            if name in self.sources:
                found |= dict.fromkeys(one for one in sorted(self.sources[name]) if one not in spared)
            else:
                found[name] = None
        return list(found)

    def beside(
        self, known: Mapping[str, FloatArray], active: BoolArray | None, n: int
    ) -> dict[str, FloatArray]:
        """(n,) values of each that (n,) ``known`` ones of parameters and constants allow; ``active`` says
        where the D parameters count, None that all do.
        """
        told = dict(known)
        if active is not None:
            spared = dict(self.otherwise)
            told |= {
                p.name: np.where(active[:, j], known[p.name], spared[p.name])
                for j, p in enumerate(self.parameters)
                if p.name in known and p.name in spared
            }
        found: dict[str, FloatArray] = {}
        for one in self.formulas:
            if all(parent in told for parent in one.parents):
                values = meant_values_of(one.expression, told, n)
                if one.name in self.counted and one.bounds is not None:
                    values = np.where(
                        np.abs(values) <= NEXT_TO_NOTHING * max(map(abs, one.bounds)), 0.0, values
                    )
                found[one.name] = told[one.name] = values
        return found

    def of(self, parameters: Mapping[str, Any]) -> dict[str, float | int]:
        """Those that follow from parameters which count, by name; not one that is no number there."""
        known = {name: np.array([value]) for name, value in (*self.otherwise, *self.constants)}
        for name in self._chosen & parameters.keys():
            if is_number(parameters[name]):
                known[name] = np.array([float(parameters[name])])
        found = {name: float(value[0]) for name, value in self.beside(known, None, 1).items()}
        return {
            # What lies between two values of a whole one is no whole number.
            name: int(value) if name in self.whole and value.is_integer() else value
            for name, value in found.items()
            if np.isfinite(value)
        }

    def with_them(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters with what is computed from them, in place of what was told of it."""
        others = {name: value for name, value in parameters.items() if name not in self.sources}
        return others | self.of(others)

    @cached_property
    def _chosen(self) -> frozenset[str]:
        return frozenset(p.name for p in self.parameters)

    def mistakes(self, parameters: Mapping[str, Any]) -> dict[str, SpecError]:
        """By name, what is told of one that does not follow from the others, be it within rounding of what
        was told.
        """
        wrong: dict[str, SpecError] = {}
        told = {one.name: one for one in self.formulas if parameters.get(one.name) is not None}
        if not told:
            return wrong
        own = self.of({name: value for name, value in parameters.items() if name not in self.sources})
        for name, one in told.items():
            came = parameters[name]
            if not is_number(came):
                wrong[name] = SpecError(f"parameter `{name}`: expected a number, got {came!r}")
            elif name in own and not self._agrees(one, own[name], float(came), parameters):
                wrong[name] = SpecError(_disagreeing_words(one, own[name], came))
        return wrong

    def _agrees(self, one: Computed, value: float, came: float, parameters: Mapping[str, Any]) -> bool:
        """Whether it is what the others, each rounded as it is written, may have been."""
        apart = abs(value - came)
        numbers = self._numbers_of(one, parameters)
        size = max(abs(value), abs(came), math.fsum(abs(float(x)) for x in numbers.values()))
        if apart <= 1e-9 * size:
            return True
        doubt = half_a_digit(came)
        for name, number in numbers.items():
            moved = {**parameters, name: float(number) + half_a_digit(number)}
            there = self.of({n: v for n, v in moved.items() if n not in self.sources}).get(one.name, value)
            doubt += abs(there - value)
        return apart <= min(doubt, MOST_ROUNDED * size) * (1 + 1e-9)

    def _numbers_of(self, one: Computed, parameters: Mapping[str, Any]) -> dict[str, float]:
        names = sorted(self.sources[one.name] & self._chosen & parameters.keys())
        return {name: parameters[name] for name in names if is_number(parameters[name])}


def _disagreeing_words(one: Computed, value: float, came: object) -> str:
    """That what came is not what follows."""
    return (
        f"parameter `{one.name}`: expected {_short(value)}, which is `{one.text}`, got {came!r}; leave it"
        " out, or mend the others"
    )


def half_a_digit(number: float) -> float:
    """By how much a number as it is written, or as single precision has it, may have been rounded; a whole
    one of type int by nothing.
    """
    if isinstance(number, int):
        return 0.0
    exponent = Decimal(repr(float(number))).normalize().as_tuple().exponent
    return max(0.5 * 10.0 ** min(int(exponent), 0), half_a_step(float(number)))


def computed_parameters(
    parameters: tuple[Parameter, ...],
    fixed: Mapping[str, Any],
    conditions: Mapping[str, Condition],
    computed: Sequence[Computed],
    counted: frozenset[str] = frozenset(),
) -> ComputedParameters | None:
    """What is computed from these, or None where nothing is; some may be ``counted``. Raises SpecError for
    formulas of what has no numbers, of nothing that varies, or in a circle.
    """
    if not computed:
        return None
    for mistake in mistakes(computed, nameable(parameters, fixed, computed=[one.name for one in computed])):
        raise SpecError(f"parameter `{mistake.name}`: {mistake.sentence}")
    otherwise = {name: one.otherwise for name, one in conditions.items() if is_number(one.otherwise)}
    return ComputedParameters(
        parameters,
        constants_among(fixed),
        tuple((name, float(value)) for name, value in otherwise.items()),
        frozenset(conditions),
        in_their_order(computed),
        counted,
    )


def _has_whole_numbers(parameter: Parameter) -> bool:
    if isinstance(parameter, IntParameter):
        return True
    if not isinstance(parameter, ChoiceParameter | OrderedParameter):
        return False
    if isinstance(parameter.values, Steps):
        return parameter.values.whole
    return all(isinstance(value, int) and not isinstance(value, bool) for value in parameter.values)


def _short(value: float) -> str:
    return written(float(f"{value:.10g}"))
