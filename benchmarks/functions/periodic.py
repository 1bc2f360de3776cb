"""Functions of angles, which come round, for comparisons. All are minimised.

Notation: D angles a in radians, u the unit cube, a* the best ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import minimize

from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

EVALUATIONS = 40
# How far, in turns, the best angles lie from the seam at most where they lie at it.
AT_THE_SEAM = 0.03
HEIGHTS = (1.0, 0.5, 0.45, 0.4, 0.35, 0.3)
SHARPNESS = 4.0

Angles = Callable[[FloatArray], float]


@dataclass(frozen=True)
class OfAngles:
    """Of D angles: ``torsions`` of a chain, a sum over each, which has three hollows of which one is deepest,
    and over neighbours, which are to be alike; or the sum of six ``hills``, one of which is twice as high as
    any other. The best angles are drawn by the seed: ``at_the_seam``, or anywhere.
    """

    shape: str
    dimension: int
    at_the_seam: bool
    evaluations: int = EVALUATIONS

    @cache  # noqa: B019  those of `PERIODIC` live as long as the program
    def of_seed(self, seed: int) -> tuple[Angles, float]:
        """The copy of a seed, as a function of (D,) angles, and its least value."""
        rng = stream(seed, f"benchmark of angles: {self}")
        best = self._best(rng)
        function = _torsions(best) if self.shape == "torsions" else _hills(best, rng)
        return function, float(minimize(function, best, tol=1e-12).fun)

    def regret(self, seed: int, u: FloatArray) -> float:
        """Of a (D,) point of the unit cube."""
        function, least = self.of_seed(seed)
        return max(function(2.0 * math.pi * u) - least, 0.0)

    def _best(self, rng: np.random.Generator) -> FloatArray:
        """(D,) a*."""
        turns = rng.random(self.dimension)
        return 2.0 * math.pi * ((2.0 * turns - 1.0) * AT_THE_SEAM if self.at_the_seam else turns)


def _torsions(best: FloatArray) -> Angles:
    def energy(angles: FloatArray) -> float:
        off = angles - best
        alone = (1.0 - np.cos(off)) + 0.5 * (1.0 - np.cos(3.0 * off))
        return float(alone.sum() + 0.5 * (1.0 - np.cos(np.diff(off))).sum())

    return energy


def _hills(best: FloatArray, rng: np.random.Generator) -> Angles:
    others = 2.0 * math.pi * rng.random((len(HEIGHTS) - 1, len(best)))
    tops, sharpness = np.vstack([best, others]), SHARPNESS / math.sqrt(len(best))

    def depth(angles: FloatArray) -> float:
        near = np.exp(sharpness * (np.cos(angles - tops) - 1.0).sum(axis=1))
        return -float(np.dot(HEIGHTS, near))

    return depth


PERIODIC: Mapping[str, OfAngles] = {
    f"{shape}-{dimension} {'at the seam' if at_the_seam else 'anywhere'}": OfAngles(
        shape, dimension, at_the_seam
    )
    for shape in ("torsions", "hills")
    for dimension in (2, 4, 6)
    for at_the_seam in (True, False)
}
