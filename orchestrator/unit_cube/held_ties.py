"""What ties a domain's coordinates, where some of these are held.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.feasible_region import Ties
from orchestrator.unit_cube.product import Product
from orchestrator.unit_cube.subsets import Subsets


@dataclass(frozen=True)
class TiesHeld:
    """Those of the ``whole``, in its part that is ``untied`` but for them."""

    whole: Ties
    untied: Product

    @property
    def named(self) -> BoolArray:
        """(D,) the coordinates that they depend on."""
        return self.whole.named

    @property
    def known(self) -> FloatArray:
        """(k, D) those of the whole, moved to where coordinates are held: as likely to be feasible as any."""
        known = self.whole.known
        return self.untied.rounded(known) if len(known) else known

    @property
    def known_evenly(self) -> bool:
        """No: what is spread evenly over the whole is not, once coordinates are moved."""
        return False

    @property
    def subsets(self) -> Subsets | None:
        """Those of the whole."""
        return self.whole.subsets

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether they do at (n, D) points."""
        return self.whole.hold(points)

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m) as `Ties.gaps`."""
        return self.whole.gaps(points)


@dataclass(frozen=True)
class TiesAlsoExactly:
    """Those that are ``rounded`` see coordinates that are held where a grid has them, the others as they were
    told ``exactly``: a point keeps to both.
    """

    rounded: Ties
    exactly: Ties

    @property
    def named(self) -> BoolArray:
        """(D,) the coordinates that they depend on."""
        return self.rounded.named

    @property
    def known(self) -> FloatArray:
        """(k, D) those of either."""
        return self.rounded.known

    @property
    def known_evenly(self) -> bool:
        """As of either."""
        return self.rounded.known_evenly

    @property
    def subsets(self) -> Subsets | None:
        """Those of either."""
        return self.rounded.subsets

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether both do at (n, D) points."""
        held = self.rounded.hold(points)
        if held.any():
            held[held] = self.exactly.hold(points[held])
        return held

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m) as `Ties.gaps`, the wider one of either."""
        return np.maximum(self.rounded.gaps(points), self.exactly.gaps(points))
