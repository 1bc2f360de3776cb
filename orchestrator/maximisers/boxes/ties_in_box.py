"""What ties a domain's coordinates, as a box that is stretched to a unit cube of its own has it.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import Ties
from orchestrator.unit_cube.subsets import Subsets


@dataclass(frozen=True, eq=False)
class TiesInBox:
    """Those of a ``domain`` in the box at ``lower`` (D,) of a ``width`` (D,); ``inside`` (k, D) are points of
    the stretched box that are likely to be feasible.
    """

    domain: Domain
    lower: FloatArray
    width: FloatArray
    inside: FloatArray

    @property
    def named(self) -> BoolArray:
        """(D,) the coordinates that they depend on."""
        return self._ties.named

    @property
    def known(self) -> FloatArray:
        """(k, D) those `inside`."""
        return self.inside

    @property
    def known_evenly(self) -> bool:
        """No: they lie where the region and the box have them."""
        return False

    @property
    def subsets(self) -> Subsets | None:
        """Those of the domain, where they lie in the stretched box."""
        whole = self._ties.subsets
        return None if whole is None else whole.stretched(self.lower, self.width)

    def hold(self, points: FloatArray) -> BoolArray:
        """(n,) whether they do where (n, D) stretched points lie."""
        return self._ties.hold(self._outside(points))

    def gaps(self, points: FloatArray) -> FloatArray:
        """(n, m) as `Ties.gaps`."""
        return self._ties.gaps(self._outside(points))

    def _outside(self, points: FloatArray) -> FloatArray:
        return self.domain.rounded(self.lower + points * self.width)

    @property
    def _ties(self) -> Ties:
        assert self.domain.ties is not None
        return self.domain.ties
