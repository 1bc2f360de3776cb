"""One axis of the unit cube: which positions along it are feasible, and what kernels see of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.circle import COLUMNS, on_circle
from orchestrator.unit_cube.descriptors import Descriptors, described_from
from orchestrator.unit_cube.whole_numbers import WholeNumbers

CoordinateKind = Literal["continuous", "ordinal", "categorical"]


@dataclass(frozen=True)
class Coordinate:
    """One axis of the unit cube. ``positions`` are its feasible values, sorted; empty if continuous.

    ``whole``: what a continuous coordinate's positions are snapped to, if to anything. ``evenly``: a design
    visits each position as often, however near others it lies. ``free``: of one that is held, what it is
    where it is not. ``descriptors``: how alike the positions are of one that is categorical, if that is
    known. ``periodic``: its ends are one setting; the cells of positions fill the circle evenly.
    """

    kind: CoordinateKind = "continuous"
    positions: tuple[float, ...] = ()
    whole: WholeNumbers | None = None
    evenly: bool = False
    free: Coordinate | None = None
    descriptors: Descriptors | None = None
    periodic: bool = False

    def __post_init__(self) -> None:
        if (self.kind == "continuous") != (not self.positions):
            raise ValueError(f"a {self.kind} coordinate cannot have {len(self.positions)} positions")
        if self.periodic and self.kind == "categorical":
            raise ValueError("a categorical coordinate cannot come round")

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        whole = None if self.whole is None else asdict(self.whole)
        told: dict[str, Any] = {"kind": self.kind, "positions": list(self.positions), "whole": whole}
        if self.evenly:
            told["evenly"] = True
        if self.free is not None:
            told["free"] = self.free.to_json()
        if self.descriptors is not None:
            told["descriptors"] = self.descriptors.to_json()
        if self.periodic:
            told["periodic"] = True
        return told

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Coordinate:
        """What `to_json` wrote."""
        whole = None if told["whole"] is None else WholeNumbers(**told["whole"])
        free = None if told.get("free") is None else cls.from_json(told["free"])
        positions, evenly = tuple(told["positions"]), told.get("evenly", False)
        periodic = told.get("periodic", False)
        return cls(told["kind"], positions, whole, evenly, free, described_from(told), periodic)

    def held(self, position: float) -> Coordinate:
        """The same with one position, which it has already."""
        kind: CoordinateKind = "categorical" if self.kind == "categorical" else "ordinal"
        return Coordinate(kind, (position,), free=self.free or self)

    @cached_property
    def grid(self) -> FloatArray:
        """``positions`` as an array."""
        return np.array(self.positions)

    @cached_property
    def categories(self) -> FloatArray:
        """(k,) the positions that have columns of their own in the embedding, held or not."""
        return self.grid if self.free is None else self.free.grid

    @property
    def described(self) -> Descriptors | None:
        """Of ``categories``, held or not."""
        return self.descriptors if self.free is None else self.free.descriptors

    @property
    def comes_round(self) -> bool:
        """Whether its ends are one setting, held or not."""
        return self.periodic if self.free is None else self.free.periodic

    @property
    def is_its_column(self) -> bool:
        """Whether kernels see a position as it is."""
        return self.kind != "categorical" and not self.comes_round

    @property
    def width(self) -> int:
        """How many columns it has in the embedding."""
        if self.comes_round:
            return COLUMNS
        if self.described is not None:
            return self.described.width
        return len(self.categories) if self.kind == "categorical" else 1

    def nearest(self, position: float) -> int:
        """The number of the feasible position that is."""
        return int(np.abs(self.grid - position).argmin())

    def alternatives(self, position: float) -> FloatArray:
        """(m,) what a search may change a feasible position to, of a coordinate that is not any number.

        Categorical: every other category, or, of many that are described, those that are most alike and some
        of the others. Ordinal: the positions one and two steps away, and those about an eighth and a quarter
        of the range away, so that a search can leave a plateau. Whole numbers that are not listed: see
        `WholeNumbers.alternatives`.
        """
        if self.whole is not None:
            values = self.whole.alternatives(self.whole.at(position))
            return np.array([self.whole.position(value) for value in values])
        here, count = self.nearest(position), len(self.positions)
        if self.descriptors is not None:
            return self.grid[self.descriptors.worth_a_look(here)]
        if self.kind == "categorical":
            return np.delete(self.grid, here)
        steps = {1, 2, max(1, count // 8), max(1, count // 4)}
        tried = {here + s * sign for s in steps for sign in (-1, 1)}
        if self.periodic:
            tried = {other % count for other in tried} - {here}
        others = sorted(tried & set(range(count)))
        return self.grid[others]

    def columns(self, positions: FloatArray) -> FloatArray:
        """(n, width) what stands for each of (n,) positions in the embedding, of one that is categorical or
        comes round.
        """
        if self.comes_round:
            return on_circle(positions)
        if self.described is None:
            columns, found = self.indicators, np.abs(positions[:, None] - self.categories).argmin(axis=1)
        else:
            middles = (self.categories[1:] + self.categories[:-1]) / 2
            columns, found = self.described.columns, np.searchsorted(middles, positions)
        return np.asarray(columns[found])

    @cached_property
    def indicators(self) -> FloatArray:
        """(k, k) the columns that stand for each of k categories: any two rows are a distance of 1 apart."""
        return np.eye(len(self.categories)) / math.sqrt(2.0)

    @cached_property
    def middles(self) -> FloatArray:
        """Halfway between neighbouring positions."""
        return (self.grid[1:] + self.grid[:-1]) / 2

    @cached_property
    def ends(self) -> FloatArray:
        """(k + 1,) where in [0, 1] the cell of each of k positions begins, and the last one ends: what
        `Domain.spread` turns into them, of what is described in the order of that.
        """
        if self.evenly or self.descriptors is not None:
            return np.linspace(0.0, 1.0, len(self.positions) + 1)
        return np.concatenate([[0.0], self.middles, [1.0]])
