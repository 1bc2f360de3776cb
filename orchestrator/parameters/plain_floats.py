"""The numbers of all floats on linear scales at once: constraints that name many of them are asked again and
again, mostly of few points, where what each call costs by itself is most of it.

Notation: n points, D coordinates, k floats among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.parameters.kinds import FloatParameter, Parameter

FEW = 1000
"""Of more points, arrays of all floats take longer than one after the other."""


@dataclass(frozen=True, eq=False, slots=True)
class PlainFloats:
    """The ``axes`` of k floats, their names, bounds and grids, each (k, 1)."""

    axes: tuple[int, ...]
    names: tuple[str, ...]
    lows: FloatArray
    highs: FloatArray
    grids: FloatArray

    @classmethod
    def among(cls, parameters: Sequence[Parameter], which: BoolArray) -> PlainFloats:
        """Those of D parameters that are meant by (D,) and are as fine as floats usually are."""
        found = [
            (j, one, grid)
            for j, one in enumerate(parameters)
            if which[j] and isinstance(one, FloatParameter) and (grid := one.linear_grid) is not None
        ]
        ends = np.array([(one.low, one.high, grid) for _, one, grid in found], dtype=float).reshape(-1, 3)
        return cls(
            tuple(j for j, _, _ in found),
            tuple(one.name for _, one, _ in found),
            *(ends[:, i, None] for i in range(3)),
        )

    def numbers(self, points: FloatArray) -> dict[str, FloatArray]:
        """By name, (n,) what each says of (n, D) points, to the bit as `FloatParameter.numbers` has it; of
        none where there are many points.
        """
        if not self.axes or len(points) > FEW:
            return {}
        shares = np.rint(points.T[list(self.axes)] * self.grids) / self.grids
        values = self.lows * (1 - shares) + self.highs * shares
        values = np.where(shares == 0.0, self.lows, np.where(shares == 1.0, self.highs, values))
        return dict(zip(self.names, np.clip(values, self.lows, self.highs), strict=True))
