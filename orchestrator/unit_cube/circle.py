"""Coordinates that come round, such as an angle: both ends are one setting.

Kernels see such a coordinate as a circle of circumference 1, in two columns that share a length-scale, so
that near positions are as far apart as on a line, and so are those on either side of the seam. A stationary
kernel of these is a periodic one (MacKay 1998, "Introduction to Gaussian processes").

Notation: n positions u in [0, 1), in turns.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.arrays import FloatArray

COLUMNS = 2
TURN = 2.0 * math.pi


def on_circle(positions: FloatArray) -> FloatArray:
    """(n, 2) columns (sin 2 pi u, cos 2 pi u) / 2 pi of (n,) positions, by any number of turns."""
    angles = TURN * positions
    return np.column_stack([np.sin(angles), np.cos(angles)]) / TURN


def along_circle(slopes: FloatArray, positions: FloatArray) -> FloatArray:
    """(n,) derivatives by (n,) positions, of (n, 2) ones by their columns."""
    angles = TURN * positions
    return np.asarray(slopes[:, 0] * np.cos(angles) - slopes[:, 1] * np.sin(angles))


def within_a_turn(positions: FloatArray) -> FloatArray:
    """The same settings, in the same shape, in [0, 1)."""
    turned = positions - np.floor(positions)
    # Just below a whole turn rounds to one.
    return np.where(turned < 1.0, turned, 0.0)


def nearest_turn(positions: FloatArray, centre: FloatArray) -> FloatArray:
    """The same settings, by whole turns as near to a ``centre`` as they come: within 1/2 of it."""
    return np.asarray(positions - np.rint(positions - centre))
