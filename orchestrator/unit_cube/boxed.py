"""The part of a product of coordinates that lies in a box.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.product import Product


@dataclass(frozen=True, eq=False)
class Boxed:
    """That of the ``whole`` between two (D,) corners, ``low`` and ``high``. It is a product as well."""

    whole: Product
    low: FloatArray
    high: FloatArray

    @property
    def dimension(self) -> int:
        """D."""
        return self.whole.dimension

    @property
    def is_discrete(self) -> BoolArray:
        """(D,) as the whole's."""
        return self.whole.is_discrete

    @property
    def is_unordered(self) -> BoolArray:
        """(D,) as the whole's."""
        return self.whole.is_unordered

    @cached_property
    def listed(self) -> FloatArray | None:
        """(k, D) every distinct point of it, where the whole has few enough to look at; else None."""
        everything = self.whole.listed
        if everything is None:
            return None
        inside = (self.low <= everything) & (everything <= self.high)
        return everything[inside.all(axis=1)]

    def rounded(self, points: FloatArray) -> FloatArray:
        """As the whole's, of what is nearest in the box."""
        return self.whole.rounded(np.clip(points, self.low, self.high))

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) points of it, however small it is."""
        return self.rounded(self.low + (self.high - self.low) * rng.random((n, self.dimension)))
