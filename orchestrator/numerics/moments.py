"""Means and deviations of numbers of any size, whose squares may be too large for a double, or too small.

Notation: n rows, q columns.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray


def moments(Y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(q,) means and deviations of (n, q) numbers, n >= 1; those of NumPy to the bit, where these are any."""
    # Halvings round nothing.
    halvings = np.frexp(np.abs(Y).max(axis=0))[1]
    near_one = np.ldexp(Y, -halvings)
    return np.ldexp(near_one.mean(axis=0), halvings), np.ldexp(near_one.std(axis=0), halvings)
