"""The outcomes that results brought, in the order told.

Notation: n results, m outcomes.
"""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.base import Observation
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics.growing_rows import GrowingRows


class ToldOutcomes:
    """``count`` of each result, NaN of one that failed or did not say them. Grows in place."""

    def __init__(self, count: int) -> None:
        self._rows = GrowingRows(np.float64, count)

    def tell(self, observation: Observation) -> None:
        """Remember those of one result. Of one without a value none is looked at."""
        told = None if observation.value is None else observation.outcomes
        self._rows.append(np.nan if told is None else told)

    @property
    def values(self) -> FloatArray:
        """(n, m)."""
        return self._rows.rows

    @property
    def known(self) -> BoolArray:
        """(n,) of which results all are known."""
        return np.asarray(np.isfinite(self._rows.rows).all(axis=1))
