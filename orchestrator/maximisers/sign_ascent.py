"""Gradient ascent in which every coordinate adapts its own step to the signs of its gradient.

Needs no value and no line search, so that a node which knows only its own coordinate's gradient can take
part; and moves any number of starts at once. Source: iRprop- (Igel & Huesken 2000), ascending in [0, 1].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_GROWTH = 1.3
_SHRINKAGE = 0.5


class SignAscent:
    """The steps of one array of coordinates; keep it between calls so that it stays warm.

    ``shape`` is that of the positions, ``first`` and ``largest`` steps are lengths in the unit cube.
    """

    def __init__(self, shape: tuple[int, ...], first: float, largest: float) -> None:
        self._largest = largest
        self._steps = np.full(shape, first)
        self._signs = np.zeros(shape)
        self._reach = np.full(shape, first)

    @property
    def reach(self) -> FloatArray:
        """How far each coordinate may still go in a step: 0 where it rests, ever less where it settles."""
        return self._reach

    def move(self, x: FloatArray, gradient: FloatArray) -> FloatArray:
        """Positions after one step uphill, inside [0, 1]. Where the gradient is zero nothing moves."""
        signs = np.sign(gradient)
        # Pushed against the wall is at rest.
        signs[((x <= 0.0) & (signs < 0)) | ((x >= 1.0) & (signs > 0))] = 0.0
        agreement = signs * self._signs
        self._steps = np.where(agreement > 0, self._steps * _GROWTH, self._steps)
        self._steps = np.where(agreement < 0, self._steps * _SHRINKAGE, self._steps)
        np.clip(self._steps, 1e-9, self._largest, out=self._steps)
        self._reach = np.where(signs == 0, 0.0, self._steps)
        self._signs = np.where(agreement < 0, 0.0, signs)
        moved: FloatArray = np.clip(x + self._signs * self._steps, 0.0, 1.0)
        return moved
