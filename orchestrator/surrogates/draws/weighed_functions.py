"""Functions drawn together, of which what a point adds counts for as much as it is likely to be had.

Notation: S functions f_s in standardised units, each with a latent function g_s of its own, at whose value an
evaluation succeeds with probability Phi(g_s); u undoes the standardisation; b_s the value at the point to be
improved on; E embedded columns, p points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics import normal
from orchestrator.surrogates.draws.drawn_functions import DrawnFunctions
from orchestrator.surrogates.scales.standardise import Standardisation


@dataclass(frozen=True, eq=False, slots=True)
class WeighedFunctions:
    """Functions whose u is u(b_s) + Phi(g_s) (u(f_s) - u(b_s)) where f_s is above b_s, and f_s elsewhere.

    ``latent`` are the g_s less their prior ``mean``; ``floors``: (S,) b_s.
    """

    functions: DrawnFunctions
    latent: DrawnFunctions
    mean: float
    scale: Standardisation
    floors: FloatArray

    def values(self, X: FloatArray) -> FloatArray:
        """See `DrawnFunctions`."""
        values, floors = self.functions.values(X), self.floors[:, None]
        chances = normal.distribution(self.latent.values(X) + self.mean)
        return np.where(values > floors, self.scale.apply(self._weighed(values, floors, chances)), values)

    def values_and_gradients(self, X: FloatArray, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """See `DrawnFunctions`."""
        values, gradients = self.functions.values_and_gradients(X, which)
        latent, slopes = self.latent.values_and_gradients(X, which)
        floors, chances = self.floors[which], normal.distribution(latent + self.mean)
        weighed = self._weighed(values, floors, chances)
        units = self.scale.slopes(weighed)
        along = (units * chances / self.scale.slopes(self.scale.undo(values)))[:, None] * gradients
        gained = self.scale.undo(values) - self.scale.undo(floors)
        along += (units * gained * normal.density(latent + self.mean))[:, None] * slopes
        above = values > floors
        return (
            np.where(above, self.scale.apply(weighed), values),
            np.where(above[:, None], along, gradients),
        )

    def _weighed(self, values: FloatArray, floors: FloatArray, chances: FloatArray) -> FloatArray:
        """In the objective's units."""
        least = self.scale.undo(floors)
        return least + chances * (self.scale.undo(values) - least)
