"""How far outcomes are off what they are to be: a sum of squares, of numbers and of curves.

Notation: m outcomes, D coordinates, S draws, k points; of a curve q points, r components.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.curve_components import Curve, CurveComponents
from orchestrator.arrays import BoolArray, FloatArray


@dataclass(frozen=True, eq=False)
class SumOfSquares:
    """``sign`` (sum_j ((y_j - target_j) / error_j)^2 + ``beyond``), with (m,) ``targets`` and ``errors`` > 0:
    a `KnownFunction` in D = ``dimension`` coordinates. ``curves``: of which outcomes are the points of one.
    """

    targets: FloatArray
    errors: FloatArray
    sign: float
    dimension: int
    curves: Sequence[Curve] = ()
    beyond: float = 0.0

    @property
    def outcomes(self) -> int:
        """See `KnownFunction`."""
        return len(self.targets)

    @property
    def named(self) -> BoolArray:
        """See `KnownFunction`: none."""
        return np.zeros(self.dimension, dtype=bool)

    @property
    def units(self) -> FloatArray:
        """See `KnownFunction`: the errors."""
        return self.errors

    def values(self, outcomes: FloatArray, points: FloatArray) -> FloatArray:
        """See `KnownFunction`."""
        return self.values_and_slopes(outcomes, points)[0]

    def values_and_slopes(self, outcomes: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `KnownFunction`."""
        del points
        # What is too large for a double is infinite, and is taken for no number.
        with np.errstate(over="ignore"):
            apart = (outcomes - self.targets) / self.errors
            total = np.square(apart).sum(axis=-1) + self.beyond
            return self.sign * total, 2.0 * self.sign * apart / self.errors

    def of_components(self, components: Sequence[CurveComponents]) -> SumOfSquares:
        """See `KnownFunction`. Of a curve in units of its errors the square of how far it is off is that of
        its r weights, and of what of its target no weights can reach.
        """
        is_scalar = np.ones(self.outcomes, dtype=bool)
        for one in components:
            is_scalar[one.curve.columns] = False
        targets, errors, beyond = [self.targets[is_scalar]], [self.errors[is_scalar]], self.beyond
        for one in components:
            sought = (self.targets[one.curve.columns] - one.centre) / one.curve.units
            weights = one.directions @ sought
            targets.append(weights)
            errors.append(np.ones(len(weights)))
            beyond += float(np.square(sought - weights @ one.directions).sum())
        return SumOfSquares(
            np.concatenate(targets), np.concatenate(errors), self.sign, self.dimension, (), beyond
        )
