"""What is said of draws of values, of which those that are no number say nothing.

Notation: S draws, p values.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.believed_together import ONE_DEVIATION
from orchestrator.sensitivity.held_out import HIGH, LOW
from orchestrator.sensitivity.prediction import Expected


def medians_of(drawn: FloatArray) -> FloatArray:
    """(p,) of (S, p) draws; NaN where none is a number."""
    return np.asarray(_quantiles(drawn, (0.5,))[0])


def deviations_of(drawn: FloatArray) -> FloatArray:
    """(p,) how far the nearer is of the points one deviation either side of the median: the other may lie in
    a tail. NaN where no draw is a number.
    """
    low, middle, high = _quantiles(drawn, ONE_DEVIATION)
    return np.asarray(np.minimum(high - middle, middle - low))


def expected_of(drawn: FloatArray) -> Expected:
    """By (S, p) draws."""
    low, high = _quantiles(drawn, (LOW, HIGH))
    return Expected(medians_of(drawn), deviations_of(drawn), low, high)


def _quantiles(drawn: FloatArray, shares: tuple[float, ...]) -> FloatArray:
    """(shares, p): of columns that are all numbers at once."""
    found = np.full((len(shares), drawn.shape[1]), np.nan)
    finite = np.isfinite(drawn)
    whole = finite.all(axis=0)
    found[:, whole] = np.quantile(drawn[:, whole], shares, axis=0)
    for column in np.flatnonzero(~whole & finite.any(axis=0)):
        found[:, column] = np.quantile(drawn[finite[:, column], column], shares)
    return found
