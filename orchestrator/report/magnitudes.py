"""Values that fall by magnitudes, as misfits do: drawn as they are, all but the first lie at the foot."""

from __future__ import annotations

import math
from typing import Final

FACTOR: Final = 100.0
"""By which the best is nearer to 0 than the worst that is shown, where they are drawn by their logarithms."""


def falls_by_magnitudes(best: float, worst: float) -> bool:
    """Whether they are of one sign, and the best is nearer to 0 by two decades or more.

    Of what rises away from 0, as a throughput, the highest are what is looked at, and logarithms would hide
    by how much they differ.
    """
    return best != 0.0 and (best > 0.0) == (worst > 0.0) and abs(best) <= abs(worst) / FACTOR


def magnitude(value: float) -> float:
    """Of a value other than 0 the logarithm, in decades, of one below it with its sign turned: it rises with
    the value.
    """
    return math.log10(value) if value > 0.0 else -math.log10(-value)
