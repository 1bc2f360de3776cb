"""The domain as SMAC sees it: a hyperparameter for each coordinate that varies.

Notation: D coordinates, k positions of a discrete one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from ConfigSpace import Categorical, Configuration, ConfigurationSpace, Float, Integer
from ConfigSpace.hyperparameters import Hyperparameter
from numpy.typing import NDArray

from orchestrator.domain import Coordinate, Domain

FloatArray = NDArray[np.float64]


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
        return space

    def configuration(self, point: FloatArray) -> Configuration:
        """Of a (D,) feasible point."""
        told: dict[str, float | int] = {}
        for i in self.varying:
            coordinate = self.domain.coordinates[i]
            if coordinate.positions:
                told[f"x{i}"] = int(np.abs(coordinate.grid - point[i]).argmin())
            else:
                told[f"x{i}"] = float(point[i])
        return Configuration(self.space, values=told)

    def point(self, configuration: Configuration) -> FloatArray:
        """(D,) feasible."""
        point = np.zeros(self.domain.dimension)
        for i in self.varying:
            coordinate, value = self.domain.coordinates[i], configuration[f"x{i}"]
            point[i] = coordinate.grid[int(value)] if coordinate.positions else value
        return self.domain.snap(point)


def _hyperparameter(name: str, coordinate: Coordinate) -> Hyperparameter:
    if coordinate.kind == "continuous":
        return Float(name, (0.0, 1.0))
    count = len(coordinate.positions)
    if coordinate.kind == "categorical":
        return Categorical(name, list(range(count)))
    return Integer(name, (0, count - 1))
