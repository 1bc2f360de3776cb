"""What ties coordinates beside how many of them may be used.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.feasible_region import Ties
from orchestrator.unit_cube.product import Product
from orchestrator.unit_cube.subsets import Subsets


@dataclass(frozen=True, eq=False)
class TiesBesideSubsets:
    """Those of a ``whole`` product that ``ties`` have beside what they have of ``limited`` subsets."""

    whole: Product
    ties: Ties
    limited: Subsets

    @property
    def named(self) -> BoolArray:
        """(D,) the coordinates that all of them depend on."""
        return self.ties.named

    @property
    def known(self) -> FloatArray:
        """(0, D)."""
        return np.empty((0, self.whole.dimension))

    @property
    def known_evenly(self) -> bool:
        """No."""
        return False

    @property
    def subsets(self) -> None:
        """They are left out."""
        return None

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether they do."""
        return np.asarray((self.gaps(points) <= 0.0).all(axis=1))

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m) as `Ties.gaps`."""
        return np.delete(self.ties.gaps(self.whole.rounded(points)), self.limited.gaps, axis=1)
