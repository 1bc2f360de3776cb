"""Where points lie whose settings are a little off: each of some coordinates by up to its tolerance, evenly,
independently of the others, and never beyond its ends, unless it comes round.

Notation: D coordinates, T of them with a tolerance, k points, m ways to be off.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.circle import within_a_turn
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.orthogonal_hypercube import orthogonal_hypercube

MOST_WITH_FEW, FEW_WAYS, MANY_WAYS = 3, 16, 32
"""Up to so many tolerances there are few ways to be off, beyond that many: each way and its opposite."""


@dataclass(frozen=True, eq=False, slots=True)
class Off:
    """A ``coordinate`` that is off by up to ``width`` in the units of the (p,) ascending ``numbers`` that lie
    at (p,) ``positions``. Between these others lie evenly, or evenly by their logarithms. One that is
    ``periodic`` has two, a turn apart, and comes in at the other past one.
    """

    coordinate: int
    width: float
    numbers: FloatArray
    positions: FloatArray
    logarithmic: bool = False
    periodic: bool = False

    def shifted(self, meant: FloatArray, ways: FloatArray) -> FloatArray:
        """(k, m) numbers that (k,) ones come out as, for (m,) ways in [-1, 1]."""
        off = meant[:, None] + self.width * ways
        if self.periodic:
            return np.asarray(self.numbers[0] + np.ptp(self.numbers) * within_a_turn(self._turns(off)))
        return np.clip(off, self.numbers[0], self.numbers[-1])

    def meant(self, positions: FloatArray) -> FloatArray:
        """(k,) numbers at (k,) positions."""
        if self.periodic:
            return np.asarray(self.numbers[0] + (positions - self.positions[0]) * np.ptp(self.numbers))
        ascending = np.argsort(self.positions)
        even = np.interp(positions, self.positions[ascending], self._even[ascending])
        return np.exp(even) if self.logarithmic else even

    def placed(self, numbers: FloatArray) -> FloatArray:
        """The positions of numbers, in the same shape."""
        if self.periodic:
            return within_a_turn(self.positions[0] + self._turns(numbers))
        return np.interp(np.log(numbers) if self.logarithmic else numbers, self._even, self.positions)

    def slopes(self, meant: FloatArray, shifted: FloatArray) -> FloatArray:
        """(k, m) of positions that (k,) numbers come out at, by the positions of those: 0 at the ends."""
        if self.periodic:
            return np.ones_like(shifted)
        inside = (shifted > self.numbers[0]) & (shifted < self.numbers[-1])
        return np.where(inside, self._rise(shifted) / self._rise(meant)[:, None], 0.0)

    @property
    def is_even(self) -> bool:
        """Whether positions are off by as much wherever they are, short of the ends."""
        return len(self.numbers) == 2 and not self.logarithmic

    def _turns(self, numbers: FloatArray) -> FloatArray:
        return np.asarray((numbers - self.numbers[0]) / np.ptp(self.numbers))

    @property
    def _even(self) -> FloatArray:
        return np.log(self.numbers) if self.logarithmic else self.numbers

    def _rise(self, numbers: FloatArray) -> FloatArray:
        """By how much positions rise for each unit of a number."""
        rises = np.diff(self.positions) / np.diff(self._even)
        segment = np.clip(np.searchsorted(self.numbers, numbers, side="right") - 1, 0, len(rises) - 1)
        return rises[segment] / numbers if self.logarithmic else rises[segment]


@dataclass(frozen=True, eq=False, slots=True)
class Around:
    """The (k, m, D) ``points`` that k come out at; (k, m, D) ``slopes``, of each coordinate by its own; and
    which of the k are off as any other such point is, (k,) ``alike``.
    """

    points: FloatArray
    slopes: FloatArray
    alike: BoolArray


@dataclass(frozen=True, eq=False, slots=True)
class SettingsOff:
    """T ``axes``, and (m, T) ``ways`` to be off, in [-1, 1], by which averages are taken."""

    axes: tuple[Off, ...]
    ways: FloatArray

    @classmethod
    def of(cls, axes: Iterable[Off]) -> SettingsOff:
        """In ways that are the same for all such axes; more of them where there are more than 16 axes."""
        axes = tuple(axes)
        count = FEW_WAYS if len(axes) <= MOST_WITH_FEW else MANY_WAYS
        return cls(axes, orthogonal_hypercube(len(axes), least=count // 2))

    def embedded(self, domain: Domain) -> SettingsOff:
        """The same of embedded columns: what is off has one, in which it lies as in the cube."""
        columns = domain.embedded_parameter
        axes = (
            replace(axis, coordinate=int(np.flatnonzero(columns == axis.coordinate)[0])) for axis in self.axes
        )
        return SettingsOff(tuple(axes), self.ways)

    def around(self, points: FloatArray) -> Around:
        """Where (k, D) points come out."""
        k, m = len(points), len(self.ways)
        off = np.repeat(points[:, None, :], m, axis=1)
        slopes, alike = np.ones(off.shape), np.ones(k, dtype=bool)
        for axis, ways in zip(self.axes, self.ways.T, strict=True):
            meant = axis.meant(points[:, axis.coordinate])
            shifted = axis.shifted(meant, ways)
            off[:, :, axis.coordinate] = axis.placed(shifted)
            rises = axis.slopes(meant, shifted)
            slopes[:, :, axis.coordinate] = rises
            alike &= axis.is_even & (rises > 0.0).all(axis=1)
        return Around(off, slopes, alike)
