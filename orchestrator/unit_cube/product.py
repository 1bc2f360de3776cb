"""What is asked of a product of coordinates where a part of it is looked for.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray


class Product(Protocol):
    """Any coordinate may take any of its positions, whatever ties may say of it. A domain is one."""

    @property
    def dimension(self) -> int:
        """D."""
        ...

    @property
    def is_discrete(self) -> BoolArray:
        """(D,) which coordinates have positions of their own, or are of whole numbers."""
        ...

    @property
    def is_unordered(self) -> BoolArray:
        """(D,) in which coordinates any two positions are as far apart as any others."""
        ...

    @property
    def listed(self) -> FloatArray | None:
        """(k, D) every distinct point, where there are few enough to look at; else None."""
        ...

    def rounded(self, points: FloatArray) -> FloatArray:
        """The nearest points, each coordinate at a position of its own; of the same shape."""
        ...

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) points, each discrete coordinate uniform over its positions."""
        ...
