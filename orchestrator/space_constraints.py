"""The constraints of a space as the unit cube has them: which points decode to parameters that satisfy them.

Notation: n points, D coordinates, m comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from orchestrator.arithmetic import ArithmeticMistake
from orchestrator.arithmetic_values import values_of
from orchestrator.constraints import Constraint, Nameable
from orchestrator.errors import SpecError
from orchestrator.finite import is_finite
from orchestrator.parameter_kinds import ChoiceParameter, Parameter

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class SpaceConstraints:
    """D parameters, constants by name, and what must hold of them: at least one constraint."""

    parameters: tuple[Parameter, ...]
    constants: tuple[tuple[str, float], ...]
    constraints: tuple[Constraint, ...]

    @cached_property
    def named(self) -> BoolArray:
        """(D,) which coordinates the constraints name."""
        names = {name.name for constraint in self.constraints for name in constraint.names}
        return np.array([parameter.name in names for parameter in self.parameters], dtype=bool)

    @property
    def known(self) -> FloatArray:
        """(0, D): none."""
        return np.empty((0, len(self.parameters)))

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether what each of (n, D) points decodes to satisfies every constraint, exactly."""
        return np.asarray(self._each(self._known(points), len(points)).all(axis=1))

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m) by how much what ought to be less exceeds the other side, negative where it is less; NaN
        where it cannot be computed.
        """
        known, n = self._known(points), len(points)
        with np.errstate(all="ignore"):
            columns = [
                values_of(c.low, known, n) - values_of(c.high, known, n)
                for constraint in self.constraints
                for c in constraint.comparisons
            ]
        return np.stack(columns, axis=1)

    def broken_by(self, point: FloatArray) -> tuple[str, ...]:
        """The constraints that a (D,) point does not satisfy, as they were written."""
        return self._texts(~self._each(self._known(point[None, :]), 1)[0])

    def broken_by_values(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """The constraints that parameters do not satisfy as they are, before any rounding to a grid."""
        known = {name: np.array([value]) for name, value in self.constants}
        for j in np.flatnonzero(self.named):
            name = self.parameters[j].name
            known[name] = np.array([float(parameters[name])])
        return self._texts(~self._each(known, 1)[0])

    def always_hold(self, points: FloatArray) -> tuple[str, ...]:
        """The constraints that all of (n, D) points satisfy, as they were written."""
        return self._texts(np.asarray(self._each(self._known(points), len(points)).all(axis=0)))

    def _texts(self, which: BoolArray) -> tuple[str, ...]:
        return tuple(c.text for c, one in zip(self.constraints, which, strict=True) if one)

    def _each(self, known: Mapping[str, FloatArray], n: int) -> BoolArray:
        """(n, number of constraints) which hold; what is no number compares as false."""
        columns = []
        for constraint in self.constraints:
            holds = np.ones(n, dtype=bool)
            for c in constraint.comparisons:
                low, high = values_of(c.low, known, n), values_of(c.high, known, n)
                with np.errstate(invalid="ignore"):
                    holds &= low < high if c.strict else low <= high
            columns.append(holds)
        return np.stack(columns, axis=1)

    def _known(self, points: FloatArray) -> dict[str, FloatArray]:
        known = {name: np.full(len(points), value) for name, value in self.constants}
        for j in np.flatnonzero(self.named):
            known[self.parameters[j].name] = self.parameters[j].numbers(points[:, j])
        return known


def nameable(
    parameters: Iterable[Parameter], fixed: Mapping[str, Any], outcomes: tuple[str, ...] = ()
) -> Nameable:
    """What constraints of these parameters and outcomes may be about."""
    told = tuple(parameters)
    without = {p.name: p for p in told if isinstance(p, ChoiceParameter) and not p.all_numbers}
    others = {name: f"has the values {', '.join(map(str, p.values[:4]))}" for name, p in without.items()}
    others |= {name: f"is fixed at {value}" for name, value in fixed.items() if not _is_number(value)}
    return Nameable(
        tuple(p.name for p in told if p.name not in without),
        tuple(name for name, value in fixed.items() if _is_number(value)),
        others,
        outcomes,
    )


def constrained(
    parameters: tuple[Parameter, ...], fixed: Mapping[str, Any], texts: tuple[str, ...]
) -> SpaceConstraints | None:
    """The constraints on these parameters, or None for no texts. Raises SpecError for one that is wrong."""
    if not texts:
        return None
    return SpaceConstraints(parameters, constants_among(fixed), read_all(nameable(parameters, fixed), texts))


def read_all(names: Nameable, texts: Iterable[str]) -> tuple[Constraint, ...]:
    """The constraints that texts say. Raises SpecError for one that is wrong."""
    read = []
    for text in texts:
        try:
            read.append(names.read(text))
        except ArithmeticMistake as mistake:
            raise SpecError(f"constraint `{text}`: {mistake}") from None
    return tuple(read)


def constants_among(fixed: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """Those of the fixed parameters that are numbers."""
    return tuple((name, float(value)) for name, value in fixed.items() if _is_number(value))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and is_finite(value)
