"""The domain as SMAC sees it: a hyperparameter for each coordinate that varies.

Notation: D coordinates, k positions of a discrete one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from ConfigSpace import (
    AndConjunction,
    Categorical,
    Configuration,
    ConfigurationSpace,
    Float,
    InCondition,
    Integer,
)
from ConfigSpace.conditions import Condition
from ConfigSpace.hyperparameters import Hyperparameter

from orchestrator.algorithms.peers.peer import conditions_of
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True)
class Configurations:
    """Points of ``domain`` to configurations and back. Discrete coordinates are told by their number."""

    domain: Domain

    @cached_property
    def varying(self) -> tuple[int, ...]:
        """The coordinates with more than one position."""
        return tuple(i for i, c in enumerate(self.domain.coordinates) if len(c.positions) != 1)

    @cached_property
    def space(self) -> ConfigurationSpace:
        """One hyperparameter for each of them."""
        space = ConfigurationSpace()
        space.add(*(_hyperparameter(f"x{i}", self.domain.coordinates[i]) for i in self.varying))
        if (conditions := conditions_of(self.domain)) is not None:
            space.add(*(self._condition(space, i, conditions.counts_by(i)) for i in conditions.parents_first))
        return space

    def _condition(
        self, space: ConfigurationSpace, child: int, parents: Mapping[int, tuple[float, ...]] | None
    ) -> Condition | AndConjunction:
        assert parents is not None, "the options have been checked"
        numbers = {i: [self._number(i, x) for x in there] for i, there in parents.items()}
        terms = [InCondition(space[f"x{child}"], space[f"x{i}"], told) for i, told in numbers.items()]
        return terms[0] if len(terms) == 1 else AndConjunction(*terms)

    def _number(self, i: int, position: float) -> int:
        return int(np.abs(self.domain.coordinates[i].grid - position).argmin())

    def configuration(self, point: FloatArray) -> Configuration:
        """Of a (D,) feasible point."""
        told: dict[str, float | int] = {}
        counts = self.domain.active(point[None, :])[0]
        for i in self.varying:
            if counts[i]:
                listed = bool(self.domain.coordinates[i].positions)
                told[f"x{i}"] = self._number(i, point[i]) if listed else float(point[i])
        return Configuration(self.space, values=told)

    def point(self, configuration: Configuration) -> FloatArray:
        """(D,) feasible."""
        point = np.zeros(self.domain.dimension)
        for i in self.varying:
            # What does not count is not there.
            if (value := configuration.get(f"x{i}")) is not None:
                coordinate = self.domain.coordinates[i]
                point[i] = coordinate.grid[int(value)] if coordinate.positions else value
        return self.domain.snap(point)


def _hyperparameter(name: str, coordinate: Coordinate) -> Hyperparameter:
    if coordinate.kind == "continuous":
        return Float(name, (0.0, 1.0))
    count = len(coordinate.positions)
    if coordinate.kind == "categorical":
        return Categorical(name, list(range(count)))
    return Integer(name, (0, count - 1))
