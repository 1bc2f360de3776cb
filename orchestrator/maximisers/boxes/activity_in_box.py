"""Which coordinates of a domain count, as a box that is stretched to a unit cube of its own has it.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.activity import Activity


@dataclass(frozen=True, eq=False)
class ActivityInBox:
    """That of a domain, ``whole``, in the box at ``lower`` (D,) of a ``width`` (D,). What does not count
    rests where it does in the domain, be that outside of the box.
    """

    whole: Activity
    lower: FloatArray
    width: FloatArray

    @property
    def resting(self) -> FloatArray:
        """(D,) where each rests."""
        return np.asarray((self.whole.resting - self.lower) / self.width)

    def active(self, points: FloatArray) -> BoolArray:
        """(n, D) which coordinates count where (n, D) stretched points lie."""
        return self.whole.active(self.lower + points * self.width)
