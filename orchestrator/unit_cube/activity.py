"""Which coordinates of a domain count where, where not all always do.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from typing import Protocol

from orchestrator.arrays import BoolArray, FloatArray


class Activity(Protocol):
    """Which coordinates count where. Points are (n, D), anywhere in the cube: each coordinate is taken for
    the position nearest to it.
    """

    @property
    def resting(self) -> FloatArray:
        """(D,) the position of each where it does not."""
        ...

    def active(self, points: FloatArray) -> BoolArray:
        """(n, D) which coordinates count."""
        ...
