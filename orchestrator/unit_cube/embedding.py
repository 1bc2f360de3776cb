"""What kernels see of the points of a domain: a coordinate a column, but for those that have no order or come
round.

A categorical coordinate becomes k columns, so that two points that differ in it are one length-scale unit
apart whichever the categories; or, where its positions are described by numbers, their `Descriptors`. One
that comes round becomes two, a `circle`. What has a length-scale of its own is an *aspect*: a coordinate, but
of one that is described each number, and its mark. Each of the ``sums``, such as what other shares leave, is
a further column and aspect, the last ones.

Notation: D coordinates, S sums, E columns, L aspects, n points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.unit_cube.circle import along_circle
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.sums import Sum


@dataclass(frozen=True)
class Embedding:
    """Of D coordinates, and of the sums of them that kernels see as well."""

    coordinates: tuple[Coordinate, ...]
    sums: tuple[Sum, ...] = ()

    @cached_property
    def parameter(self) -> IndexArray:
        """(E - S,) the coordinate that each column comes from, but those of sums."""
        return np.repeat(np.arange(len(self.coordinates)), [c.width for c in self.coordinates])

    @cached_property
    def aspect(self) -> IndexArray:
        """(E,) the aspect that each column is of; the coordinate, where there are no others."""
        own = self._aspects_of_coordinates
        further = int(own.max()) + 1 + np.arange(len(self.sums))
        return np.concatenate([own, further]) if self.sums else own

    @property
    def aspects(self) -> int:
        """L."""
        return int(self.aspect.max()) + 1

    @cached_property
    def is_described(self) -> bool:
        """Whether the positions of any coordinate are."""
        return any(c.described is not None for c in self.coordinates)

    @property
    def has_further_aspects(self) -> bool:
        """Whether there are others than the coordinates themselves."""
        return self.is_described or bool(self.sums)

    def of_coordinates(self, length_scales: Sequence[float]) -> FloatArray:
        """(D,) length-scales of (L,) ones of aspects: of what is described the shortest, by which it matters
        most; of what is in sums that by which both it and they change.
        """
        scales = np.array(length_scales)
        if not self.has_further_aspects:
            return scales
        of_columns = scales[self._aspects_of_coordinates]
        own = np.array([of_columns[self.parameter == j].min() for j in range(len(self.coordinates))])
        if not self.sums:
            return own
        rates = self._factors_of_sums / scales[-len(self.sums) :, None]
        return np.asarray(1.0 / np.sqrt(own**-2.0 + np.square(rates).sum(axis=0)))

    def columns(self, points: FloatArray) -> FloatArray:
        """(n, E) of (n, D) points. Categories become one-hot columns over the square root of 2, or their
        `Descriptors`; what comes round is on a circle; sums are last.
        """
        own = self._of_coordinates_alone(points)
        return np.column_stack([own, *(one.at(points) for one in self.sums)]) if self.sums else own

    def along_coordinates(self, slopes: FloatArray, points: FloatArray) -> FloatArray:
        """(n, D) derivatives by the coordinates, of (n, E) ones by columns at (n, D) points: 0 along those
        that are categorical.
        """
        own = self._is_a_coordinate
        of_sums, along = slopes[:, len(own) :], slopes[:, : len(own)]
        if not own.all():
            along = np.zeros(points.shape)
            along[:, self.parameter[own]] = slopes[:, : len(own)][:, own]
            for j in self._round:
                columns = np.flatnonzero(self.parameter == j)
                along[:, j] = along_circle(slopes[:, columns], points[:, j])
        return along + of_sums @ self._factors_of_sums if self.sums else along

    @cached_property
    def _aspects_of_coordinates(self) -> IndexArray:
        if not self.is_described:
            return self.parameter
        found, start = [], 0
        for c in self.coordinates:
            own = np.zeros(c.width, dtype=np.intp) if c.described is None else c.described.aspects
            found.append(start + own)
            start += int(own.max()) + 1
        return np.concatenate(found)

    @cached_property
    def _is_a_coordinate(self) -> BoolArray:
        """(E - S,) which columns are a coordinate themselves."""
        own = np.array([c.is_its_column for c in self.coordinates], dtype=bool)
        return np.asarray(own[self.parameter])

    @cached_property
    def _round(self) -> list[int]:
        """Numbers of the coordinates that come round."""
        return [j for j, c in enumerate(self.coordinates) if c.comes_round]

    @cached_property
    def _factors_of_sums(self) -> FloatArray:
        """(S, D)."""
        return np.array([one.factors for one in self.sums])

    def _of_coordinates_alone(self, points: FloatArray) -> FloatArray:
        if self._is_a_coordinate.all():
            return points
        embedded = np.empty((len(points), len(self.parameter)))
        start = 0
        for i, coordinate in enumerate(self.coordinates):
            end = start + coordinate.width
            column = points[:, i]
            if coordinate.is_its_column:
                embedded[:, start] = column
            else:
                embedded[:, start:end] = coordinate.columns(column)
            start = end
        return embedded
