"""The constraints of a space as the unit cube has them: which points decode to parameters that satisfy them.

Notation: n points, D coordinates, m comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.errors import SpecError
from orchestrator.expressions.alternatives import HasValue
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import Constraint, Nameable
from orchestrator.expressions.counts import counts_among, is_count
from orchestrator.expressions.values import all_hold, differences_of, hold_at
from orchestrator.parameters.computed_parameters import ComputedParameters
from orchestrator.parameters.kinds import ChoiceParameter, Parameter
from orchestrator.parameters.nameable import constants_among, nameable
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.parameters.plain_floats import PlainFloats
from orchestrator.parameters.space_subsets import subsets_of
from orchestrator.parameters.value_test import Test, value_test
from orchestrator.unit_cube.activity import Activity
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.known_by_value import MOST, known_by_value
from orchestrator.unit_cube.polytope import even_points_within, linear_parts
from orchestrator.unit_cube.subsets import Subsets

CONTINUOUS = Coordinate()
KNOWN = 512
"""Points by which a search finds its way about where a mixture adds up: what leads nowhere by chance."""
SEED = 20261128
ASKS_FOR_NOTHING = -1.0
"""The gap of a comparison that need not hold."""


@dataclass(frozen=True)
class SpaceConstraints:
    """D parameters, constants by name, and what must hold of them: at least one constraint. Where a parameter
    that one names does not count, by ``activity``, it asks for nothing. What is ``computed`` they may name
    as well. ``fixed`` is all that is, be it no number. ``seeks``: points of each value are looked for.
    """

    parameters: tuple[Parameter, ...]
    constants: tuple[tuple[str, float], ...]
    constraints: tuple[Constraint, ...]
    activity: Activity | None = None
    computed: ComputedParameters | None = None
    fixed: tuple[tuple[str, Any], ...] = ()
    seeks: bool = True

    @cached_property
    def named(self) -> BoolArray:
        """(D,) which coordinates the constraints name, or something that is computed from them."""
        return self._among(name.name for constraint in self.constraints for name in constraint.names)

    @cached_property
    def _numbers(self) -> BoolArray:
        """(D,) of these such as are compared as numbers."""
        return self._among(name.name for constraint in self.constraints for name in constraint.numbers)

    def _among(self, told: Iterable[str]) -> BoolArray:
        names = set(told) if self.computed is None else set(self.computed.among(set(told)))
        return np.array([parameter.name in names for parameter in self.parameters], dtype=bool)

    @property
    def known(self) -> FloatArray:
        """(k, D) spread evenly where what is linear of them holds, if they are about computed parameters;
        some of each value of choices, where it hangs on these what must hold; else none.
        """
        return self._known_evenly if self.known_evenly else self._known_by_value

    @cached_property
    def _known_by_value(self) -> FloatArray:
        """Of values that little of the space is left for, none might be found among many others."""
        places = self._places() if self.seeks and self.subsets is None else []
        return known_by_value(self._domain, replace(self, seeks=False), places)

    def _places(self) -> list[tuple[int, float]]:
        """Each position of a coordinate that is asked for beside `or`; of numbers, and of very many values,
        those alone that are.
        """
        found: dict[tuple[int, float], None] = {}
        index = {parameter.name: j for j, parameter in enumerate(self.parameters)}
        for one in (one for c in self.constraints for one in c.values if one.name.name in index):
            j = index[one.name.name]
            parameter = self.parameters[j]
            positions: Iterable[float] = map(parameter.encode, one.one_of.values)
            every = parameter.coordinate.positions
            if isinstance(parameter, ChoiceParameter | OrderedParameter) and len(every) <= MOST:
                positions = every
            found.update(((j, position), None) for position in positions)
        return list(found)

    @property
    def _domain(self) -> Domain:
        return Domain(tuple(parameter.coordinate for parameter in self.parameters), activity=self.activity)

    @cached_property
    def _known_evenly(self) -> FloatArray:
        """(k, D)."""
        if any(constraint.unless for constraint in self.constraints):
            # Those that hold whatever is chosen, of which the others leave a part.
            always = tuple(constraint for constraint in self.constraints if not constraint.unless)
            return replace(self, constraints=always)._known_evenly
        coordinates = [parameter.coordinate for parameter in self.parameters]
        axes = np.flatnonzero(self.named)
        plain = all(coordinates[j] == CONTINUOUS for j in axes)
        if self.computed is None or not len(axes) or not plain or self.activity is not None:
            return np.empty((0, len(self.parameters)))
        rng = np.random.default_rng(SEED)
        points = Domain(tuple(coordinates)).sample(KNOWN, rng)

        def gaps(part: FloatArray) -> FloatArray:
            whole = np.tile(points[:1], (len(part), 1))
            whole[:, axes] = part
            return self.gaps(whole)

        linear = linear_parts(gaps, len(axes), np.random.default_rng(len(axes)))
        inside = even_points_within(*linear, KNOWN, rng)
        points = points[: len(inside)]
        points[:, axes] = inside
        return points

    @property
    def known_evenly(self) -> bool:
        """Whether there are any."""
        return len(self._known_evenly) > 0

    @cached_property
    def subsets(self) -> Subsets | None:
        """How many of some parameters may be used at all, if that is limited. Raises SpecError for what
        cannot be counted.
        """
        comparisons = [c for constraint in self.constraints for c in constraint.comparisons]
        counts = {i: found[0] for i, c in enumerate(comparisons) if (found := counts_among([c]))}
        if not counts:
            return None
        told = list(counts.values()), self.parameters, dict(self.constants), self.computed
        return subsets_of(*told, tuple(counts))

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether what each of (n, D) points decodes to satisfies every constraint, exactly."""
        return np.asarray(self._each(points).all(axis=1))

    def hold_as_told(self, points: FloatArray, told: Mapping[str, FloatArray]) -> BoolArray:
        """(n,) the same, where some parameters have the (n,) numbers that were ``told``, before any rounding
        to a grid.
        """
        numbers = {self.parameters[j].name for j in np.flatnonzero(self._numbers)}
        known = self._known(points) | {name: told[name] for name in numbers & set(told)}
        return np.asarray(self._each(points, self._with_computed(known, points)).all(axis=1))

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m) by how much what ought to be less exceeds the other side, negative where it is less; NaN
        where it cannot be computed.
        """
        known, n = self._known(points), len(points)
        with np.errstate(all="ignore"):
            columns = [
                np.where(asks, differences_of(c, known, n), ASKS_FOR_NOTHING)
                for constraint, asks in zip(self.constraints, self._ask(points, known), strict=True)
                for c in constraint.comparisons
            ]
        return np.stack(columns, axis=1)

    def broken_by(self, point: FloatArray) -> tuple[str, ...]:
        """The constraints that a (D,) point does not satisfy, as they were written."""
        return self._texts(~self._each(point[None, :])[0])

    def broken_by_values(self, parameters: Mapping[str, Any], point: FloatArray) -> tuple[str, ...]:
        """The constraints that parameters do not satisfy as they are, before any rounding to a grid; a (D,)
        ``point`` is what they are rounded to.
        """
        known = self._known(point[None, :])
        # What does not count may be given as anything, even as what is no number.
        counts = True if self.activity is None else self.activity.active(point[None, :])[0]
        for j in np.flatnonzero(self._numbers & counts):
            name = self.parameters[j].name
            if name in parameters:
                known[name] = np.array([float(parameters[name])])
        known = self._with_computed(known, point[None, :])
        asks = self._ask(point[None, :], known)
        kept = [hold_at(c, known, 1) | ~own for c, own in zip(self.constraints, asks, strict=True)]
        return self._texts(~np.concatenate(kept))

    def always_hold(self, points: FloatArray) -> tuple[str, ...]:
        """The constraints that all of (n, D) points satisfy, as they were written."""
        return self._texts(np.asarray(self._each(points).all(axis=0)))

    def _texts(self, which: BoolArray) -> tuple[str, ...]:
        return tuple(c.text for c, one in zip(self.constraints, which, strict=True) if one)

    def _each(self, points: FloatArray, known: Mapping[str, FloatArray] | None = None) -> BoolArray:
        """(n, number of constraints) which hold; what is no number compares as false."""
        known, n = self._known(points) if known is None else known, len(points)
        asking = self._ask(points, known)
        kept = [hold_at(c, known, n) | ~asks for c, asks in zip(self.constraints, asking, strict=True)]
        return np.stack(kept, axis=1)

    def _ask(self, points: FloatArray, known: Mapping[str, FloatArray]) -> list[BoolArray]:
        """Of each constraint, at which of n points, of which numbers are ``known``, it asks for anything."""
        if self.activity is None:
            asking = [np.ones(len(points), dtype=bool)] * len(self.constraints)
        else:
            active = self.activity.active(points)
            asking = [np.asarray(active[:, columns].all(axis=1)) for columns in self._columns]
        for i, constraint in enumerate(self.constraints):
            for one, test in zip(constraint.unless, self._tests[i], strict=True):
                if isinstance(one, HasValue):
                    assert test is not None
                    asking[i] = asking[i] & (test(points) == one.denied)
                else:
                    asking[i] = asking[i] & ~all_hold(one.comparisons, known, len(points))
        return asking

    @cached_property
    def _tests(self) -> list[list[Test | None]]:
        """Of each constraint, what tells where parameters have the values that it names."""
        fixed = dict(self.fixed)
        return [
            [
                value_test(one.one_of, self.parameters, fixed) if isinstance(one, HasValue) else None
                for one in c.unless
            ]
            for c in self.constraints
        ]

    @cached_property
    def _columns(self) -> list[list[int]]:
        """Of each constraint, the coordinates that it names."""
        index = {parameter.name: j for j, parameter in enumerate(self.parameters)}
        named = [[name.name for name in c.names] for c in self.constraints]
        needed = named if self.computed is None else map(self.computed.needed, named)
        return [[index[name] for name in names if name in index] for names in needed]

    def _known(self, points: FloatArray) -> dict[str, FloatArray]:
        known = {name: np.full(len(points), value) for name, value in self.constants}
        known |= self._floats.numbers(points)
        for j in np.flatnonzero(self._numbers):
            parameter = self.parameters[j]
            if parameter.name not in known:
                known[parameter.name] = parameter.numbers(points[:, j])
        return self._with_computed(known, points)

    @cached_property
    def _floats(self) -> PlainFloats:
        return PlainFloats.among(self.parameters, self._numbers)

    def _with_computed(self, known: dict[str, FloatArray], points: FloatArray) -> dict[str, FloatArray]:
        if self.computed is None:
            return known
        active = None if self.activity is None else self.activity.active(points)
        return known | self.computed.beside(known, active, len(points))


def constrained(
    parameters: tuple[Parameter, ...],
    fixed: Mapping[str, Any],
    texts: tuple[str, ...],
    activity: Activity | None,
    computed: ComputedParameters | None = None,
    conditional: Iterable[str] = (),
) -> SpaceConstraints | None:
    """The constraints on these parameters, the bounds of those that are ``computed`` last; None where there
    are none. Those that are ``conditional`` do not always count. Raises SpecError for one that is wrong.
    """
    formulas = () if computed is None else computed.formulas
    bounds = tuple(one.constraint for one in formulas if one.constraint is not None)
    if not texts and not bounds:
        return None
    names = replace(
        nameable(parameters, fixed, computed=[one.name for one in formulas], conditional=conditional),
        counting={one.name: one.text for one in formulas if is_count(one.text)},
    )
    found = SpaceConstraints(
        parameters,
        constants_among(fixed),
        read_all(names, (*texts, *bounds)),
        activity,
        computed,
        tuple(fixed.items()),
    )
    # So that what cannot be counted is said at once.
    _ = found.subsets
    return found


def read_all(names: Nameable, texts: Iterable[str]) -> tuple[Constraint, ...]:
    """The constraints that texts say. Raises SpecError for one that is wrong."""
    read = []
    for text in texts:
        try:
            read.append(names.read(text))
        except ArithmeticMistake as mistake:
            raise SpecError(f"constraint `{text}`: {mistake}") from None
    return tuple(read)
