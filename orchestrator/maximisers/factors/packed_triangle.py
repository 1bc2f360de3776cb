"""A lower triangle as text: its 64-bit floats in base 64, exact to the bit and half as long as their digits.

Read at once, where millions of digits take a second and as many objects.
"""

from __future__ import annotations

import base64

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray


def pack_triangle(lower: FloatArray) -> str:
    """The (n, n) matrix on and below its diagonal, row by row, the lowest byte of each number first."""
    return base64.b64encode(lower[_triangle(len(lower))].astype("<f8").tobytes()).decode()


def unpack_triangle(packed: str, n: int) -> FloatArray:
    """(n, n) what `pack_triangle` wrote, zeros above. Raises ValueError for what is no such triangle."""
    data = base64.b64decode(packed, validate=True)
    if len(data) != 4 * n * (n + 1):
        raise ValueError(f"expected the {4 * n * (n + 1)} bytes of a triangle of {n} rows, got {len(data)}")
    numbers = np.frombuffer(data, dtype="<f8")
    if not np.isfinite(numbers).all():
        raise ValueError("expected a triangle of finite numbers")
    lower = np.zeros((n, n))
    lower[_triangle(n)] = numbers
    return lower


def _triangle(n: int) -> BoolArray:
    return np.tri(n, dtype=bool)
