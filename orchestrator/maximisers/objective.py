"""What every maximiser is given: a function on the unit cube.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from typing import Protocol

from orchestrator.arrays import FloatArray


class Objective(Protocol):
    """A function on the unit cube, evaluated at many points at once."""

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) values at (n, D) points."""
        ...

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n, D) gradients. Those of coordinates that cannot move are not looked at."""
        ...
