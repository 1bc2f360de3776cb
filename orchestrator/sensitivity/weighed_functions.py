"""Functions of several kinds that are believed beside one another.

Notation: M functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.belief_of_results import BelievedFunction


@dataclass(frozen=True, eq=False, slots=True)
class WeighedFunctions:
    """A `BeliefOfResults`: ``named`` functions with their (M,) ``weights``."""

    named: Sequence[tuple[str, BelievedFunction]]
    weights: FloatArray

    @property
    def members(self) -> Sequence[BelievedFunction]:
        """See `BeliefOfResults`."""
        return [member for _, member in self.named]

    @property
    def by_name(self) -> dict[str, float]:
        """See `BeliefOfResults`; of those that are called alike, that of all of them together."""
        found = dict[str, float]()
        for (name, _), weight in zip(self.named, self.weights.tolist(), strict=True):
            found[name] = found.get(name, 0.0) + weight
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    @property
    def leader(self) -> BelievedFunction:
        """See `BeliefOfResults`."""
        return self.members[int(np.argmax(self.weights))]
