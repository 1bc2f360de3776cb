"""Gradient ascent in which every coordinate adapts its own step to the signs of its gradient.

Needs no value and no line search, so that a node which knows only its own coordinate's gradient can take
part; and moves any number of starts at once. Source: iRprop- (Igel & Huesken 2000), ascending in [0, 1].
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray

_SMALLEST = 1e-9
# What a step is multiplied by where the sign turned, where one of the two is zero, and where it stayed.
_CHANGES = np.array([0.5, 1.0, 1.3])


class SignAscent:
    """The steps of one array of coordinates; keep it between calls so that it stays warm.

    ``shape`` is that of the positions, ``first`` and ``largest`` steps are lengths in the unit cube.
    """

    def __init__(self, shape: tuple[int, ...], first: float, largest: float) -> None:
        self._largest = largest
        self._steps = np.full(shape, first)
        self._signs = np.zeros(shape)

    def move(self, x: FloatArray, gradient: FloatArray) -> FloatArray:
        """Positions after one step uphill, inside [0, 1]. Where the gradient is zero nothing moves."""
        signs = np.sign(gradient)
        # Pushed against the wall is at rest.
        signs *= (x + signs * _SMALLEST >= 0.0) & (x + signs * _SMALLEST <= 1.0)
        agreement = signs * self._signs
        steps = self._steps * _CHANGES[agreement.astype(np.intp) + 1]
        np.maximum(steps, _SMALLEST, out=steps)
        np.minimum(steps, self._largest, out=steps)
        # After a turn a coordinate rests for one step.
        signs *= agreement >= 0.0
        self._steps, self._signs = steps, signs
        moved: FloatArray = x + signs * steps
        np.maximum(moved, 0.0, out=moved)
        np.minimum(moved, 1.0, out=moved)
        return moved
