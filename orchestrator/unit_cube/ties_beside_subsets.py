"""What ties coordinates beside how many of them may be used.

Notation: n points, D coordinates, M members.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.feasible_region import FeasibleRegion, Ties
from orchestrator.unit_cube.product import Product
from orchestrator.unit_cube.subsets import Subsets
from orchestrator.unit_cube.towards_feasible import Shortfall

MARGIN = 1e-8
"""How far inside points are aimed at, in the gaps' own units: beyond what rounding moves them."""


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

    def nearer(self, points: FloatArray, subsets: BoolArray) -> FloatArray:
        """(n, D) points moved towards where they do, each along what its own of (n, M) subsets uses."""
        own = np.ones(points.shape, dtype=bool)
        own[:, list(self.limited.coordinates)] = subsets[:, : len(self.limited.coordinates)]
        return self.whole.rounded(self._shortfall.nearer(points, MARGIN, own))

    @cached_property
    def _shortfall(self) -> Shortfall:
        return FeasibleRegion(self.whole, self).shortfall
