"""What numpy does where arithmetic leaves the range of floats, which a program may have set otherwise."""

from __future__ import annotations

import numpy as np


def numpys_own_errors() -> np.errstate:
    """Whatever a program has numpy raise, inside it is as numpy comes: what is too small for a float is 0."""
    return np.errstate(divide="warn", over="warn", under="ignore", invalid="warn")
