"""The conditions of a space as the unit cube has them: which coordinates count at which points.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.errors import SpecError
from orchestrator.expressions.computed import Computed, from_what_may_not_count
from orchestrator.expressions.conditions import (
    Condition,
    Holds,
    Term,
    circles,
    mistakes,
    parents_first,
)
from orchestrator.expressions.constraints import Constraint
from orchestrator.expressions.values import hold_at
from orchestrator.parameters.computed_parameters import ComputedParameters
from orchestrator.parameters.kinds import ChoiceParameter, Parameter
from orchestrator.parameters.nameable import constants_among, nameable
from orchestrator.parameters.value_test import Test, value_test


@dataclass(frozen=True)
class SpaceConditions:
    """D parameters, what is ``fixed`` beside them, and when some of them count: an `Activity`. Inequalities
    may name what is ``computed`` from such as always count.
    """

    parameters: tuple[Parameter, ...]
    fixed: tuple[tuple[str, Any], ...]
    conditions: tuple[tuple[str, Condition], ...]
    computed: ComputedParameters | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # What is worked out of these cannot be pickled.
        return SpaceConditions, (self.parameters, self.fixed, self.conditions, self.computed)

    @cached_property
    def conditional(self) -> BoolArray:
        """(D,) the coordinates that may not count."""
        named = dict(self.conditions)
        return np.array([parameter.name in named for parameter in self.parameters], dtype=bool)

    @cached_property
    def parents_first(self) -> tuple[int, ...]:
        """Their numbers, each after those of the coordinates that it counts by."""
        return tuple(self._index[name] for name in parents_first(dict(self.conditions)))

    @cached_property
    def resting(self) -> FloatArray:
        """(D,) where each rests: in the middle, as far from any end as it can be; the first of choices."""
        places = [0.0 if isinstance(p, ChoiceParameter) else 0.5 for p in self.parameters]
        return np.array([p.encode(p.decode(x)) for p, x in zip(self.parameters, places, strict=True)])

    def active(self, points: FloatArray) -> BoolArray:
        """(n, D) which coordinates of (n, D) points count. None does whose parents do not."""
        active = np.ones(points.shape, dtype=bool)
        for columns, parents, tests in self._alike:
            counts = np.asarray(active[:, parents].all(axis=1))
            for holds in tests:
                counts &= holds(points)
            active[:, columns] = counts[:, None]
        return active

    def counts_by(self, coordinate: int) -> dict[int, tuple[float, ...]] | None:
        """At which positions of each of some coordinates that count it does, too; None where a term is about
        several parameters, or one without listed positions.
        """
        found: dict[int, tuple[float, ...]] = {}
        for term in dict(self.conditions)[self.parameters[coordinate].name].terms:
            about = self._about([term])
            grid = self.parameters[about[0]].coordinate.grid if len(about) == 1 else np.empty(0)
            if not len(grid):
                return None
            points = np.tile(self.resting, (len(grid), 1))
            points[:, about[0]] = grid
            there = tuple(grid[self._test(term)(points)].tolist())
            found[about[0]] = tuple(x for x in there if x in found.get(about[0], there))
        return found

    @cached_property
    def _index(self) -> dict[str, int]:
        return {parameter.name: j for j, parameter in enumerate(self.parameters)}

    @cached_property
    def _alike(self) -> tuple[tuple[list[int], list[int], list[Test]], ...]:
        """Coordinates that count by the same terms, what these are about, and their tests; parents first."""
        conditions = dict(self.conditions)
        # By what is written, which tells true from 1.
        groups: dict[str, list[str]] = {}
        for name in parents_first(conditions):
            groups.setdefault(repr(conditions[name].terms), []).append(name)
        found = []
        for names in groups.values():
            terms = conditions[names[0]].terms
            own = [self._index[name] for name in names]
            found.append((own, self._about(terms), [self._test(term) for term in terms]))
        return tuple(found)

    def _about(self, terms: Iterable[Term]) -> list[int]:
        """The coordinates that terms are about, each once."""
        names = dict.fromkeys(name for term in terms for name in term.names)
        if self.computed is not None:
            names |= dict.fromkeys(sorted(self.computed.among(names)))
        return [self._index[name] for name in names if name in self._index]

    def _test(self, term: Term) -> Test:
        """What tells of (n, D) points at which a term holds."""
        if isinstance(term, Holds):
            inequality = Constraint.of(term.text)
            return lambda points: hold_at(inequality, self._numbers(inequality, points), len(points))
        return value_test(term, self.parameters, dict(self.fixed))

    def _numbers(self, inequality: Constraint, points: FloatArray) -> dict[str, FloatArray]:
        known = {name: np.full(len(points), value) for name, value in constants_among(dict(self.fixed))}
        names = [name.name for name in inequality.names]
        for name in names if self.computed is None else self.computed.among(names):
            j = self._index.get(name)
            if j is not None:
                known[name] = self.parameters[j].numbers(points[:, j])
        return known if self.computed is None else known | self.computed.beside(known, None, len(points))


def conditioned(
    parameters: tuple[Parameter, ...],
    fixed: Mapping[str, Any],
    conditions: Mapping[str, Condition],
    computed: ComputedParameters | None = None,
) -> SpaceConditions | None:
    """When these parameters count, or None where all always do. The conditions must make sense."""
    if not conditions:
        return None
    return SpaceConditions(parameters, tuple(fixed.items()), tuple(conditions.items()), computed)


def refuse_mistakes(
    parameters: tuple[Parameter, ...],
    fixed: Mapping[str, Any],
    conditions: Mapping[str, Condition],
    computed: Sequence[Computed],
) -> None:
    """Raises SpecError for conditions that make no sense."""
    names = nameable(parameters, fixed, computed=[one.name for one in computed])
    for own, condition in conditions.items():
        for term in condition.terms:
            for mistake in mistakes(own, term, names.parents, names):
                raise SpecError(f"parameter `{own}`, when it counts: {mistake.sentence}")
        if sentence := from_what_may_not_count(condition.parents, computed, conditions):
            raise SpecError(f"parameter `{own}`, when it counts: {sentence}")
    for found in circles(conditions):
        raise SpecError(
            f"expected no circle of parameters that count by each other, got {' by '.join(found)}"
        )
