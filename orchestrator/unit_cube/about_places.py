"""Numbers about places of the unit cube that are known to be good for something, and how densely these lie.

Notation: D coordinates, K places, p numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from orchestrator.arrays import BoolArray, FloatArray

COUNT = 512
SCALES = (0.1, 0.03, 0.01, 0.003)
"""Deviations of these, in the unit cube, each of as many."""


@dataclass(frozen=True, eq=False, slots=True)
class AboutPlaces:
    """About (K, D) ``places``, K >= 1: `COUNT` numbers, of which those beyond the cube are left out."""

    places: FloatArray

    def drawn(self, rng: np.random.Generator) -> FloatArray:
        """(p, D) numbers in the cube."""
        scales = rng.choice(SCALES, COUNT)[:, None]
        centres = self.places[rng.integers(len(self.places), size=COUNT)]
        near = centres + scales * rng.standard_normal((COUNT, self.places.shape[1]))
        return np.asarray(near[within(near)])

    def log(self, numbers: FloatArray) -> FloatArray:
        """(p,) logarithms of how many are expected about (p, D) numbers in the cube, by its volume."""
        dimension = numbers.shape[1]
        squares = np.square(numbers[:, None, :] - self.places).sum(axis=2)
        each = [
            -0.5 * squares / scale**2 - dimension * math.log(scale * math.sqrt(2.0 * math.pi))
            for scale in SCALES
        ]
        near = logsumexp(np.concatenate(each, axis=1), axis=1) - math.log(len(SCALES) * len(self.places))
        return np.asarray(math.log(COUNT) + near)


def within(numbers: FloatArray) -> BoolArray:
    """(p,) which of (p, D) numbers lie in the unit cube."""
    return np.asarray(((numbers >= 0.0) & (numbers <= 1.0)).all(axis=1))
