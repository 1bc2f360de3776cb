"""How far outcomes are off what they are to be: a sum of squares, of numbers and of curves.

Notation: m outcomes, D coordinates, S draws, k points; of a curve q points, r components.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.acquisition.curve_components import Curve, CurveComponents
from orchestrator.acquisition.known_function import Targets
from orchestrator.arrays import BoolArray, FloatArray


@dataclass(frozen=True, eq=False)
class SumOfSquares:
    """``sign`` (sum_j ((y_j - target_j) / error_j)^2 + ``beyond``), with (m,) ``targets`` and ``errors`` > 0:
    a `KnownFunction` in D = ``dimension`` coordinates. ``curves``: of which outcomes are the points of one.
    ``squares``: so many more outcomes, the last, are squares themselves, and count as they are.
    """

    targets: FloatArray
    errors: FloatArray
    sign: float
    dimension: int
    curves: Sequence[Curve] = ()
    beyond: float = 0.0
    squares: int = 0

    @property
    def outcomes(self) -> int:
        """See `KnownFunction`."""
        return len(self.targets) + self.squares

    @property
    def named(self) -> BoolArray:
        """See `KnownFunction`: none."""
        return np.zeros(self.dimension, dtype=bool)

    @property
    def units(self) -> FloatArray:
        """See `KnownFunction`: the errors."""
        return self.errors

    @property
    def sought(self) -> Targets:
        """See `KnownFunction`."""
        return Targets(self.targets, self.errors, self.beyond)

    @property
    def whitening(self) -> None:
        """See `KnownFunction`: errors are independent."""
        return None

    @property
    def whitened(self) -> SumOfSquares:
        """See `KnownFunction`."""
        return self

    def values(self, outcomes: FloatArray, points: FloatArray) -> FloatArray:
        """See `KnownFunction`."""
        return self.values_and_slopes(outcomes, points)[0]

    def values_and_slopes(self, outcomes: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `KnownFunction`."""
        del points
        # What is too large for a double is infinite, and is taken for no number.
        with np.errstate(over="ignore"):
            apart = (outcomes[..., : len(self.targets)] - self.targets) / self.errors
            total = np.square(apart).sum(axis=-1) + self.beyond
            slopes = 2.0 * self.sign * apart / self.errors
            if not self.squares:
                return self.sign * total, slopes
            further = outcomes[..., len(self.targets) :]
            total += np.maximum(further, 0.0).sum(axis=-1)
            slopes = np.concatenate([slopes, np.where(further > 0.0, self.sign, 0.0)], axis=-1)
            return self.sign * total, slopes

    def of_components(self, components: Sequence[CurveComponents]) -> SumOfSquares:
        """See `KnownFunction`. Of a curve in units of its errors the square of how far it is off is that of
        its r weights, and of what of its target no weights can reach.
        """
        is_scalar = np.ones(self.outcomes, dtype=bool)
        for one in components:
            is_scalar[one.curve.columns] = False
        targets, errors, beyond = [self.targets[is_scalar]], [self.errors[is_scalar]], self.beyond
        for one in components:
            sought = self._of_curve(one)
            weights = one.directions @ sought
            targets.append(weights)
            errors.append(np.ones(len(weights)))
            beyond += float(np.square(sought - weights @ one.directions).sum())
        return SumOfSquares(
            np.concatenate(targets), np.concatenate(errors), self.sign, self.dimension, (), beyond
        )

    def of_components_and_rests(self, components: Sequence[CurveComponents]) -> SumOfSquares:
        """See `KnownFunction`."""
        return replace(self.of_components(components), beyond=self.beyond, squares=len(components))

    def rests(self, components: Sequence[CurveComponents], outcomes: FloatArray) -> FloatArray:
        """See `KnownFunction`."""
        found = np.empty((len(outcomes), len(components)))
        for j, one in enumerate(components):
            apart = (outcomes[:, one.curve.columns] - one.centre) / one.curve.units - self._of_curve(one)
            found[:, j] = np.square(apart - apart @ one.directions.T @ one.directions).sum(axis=1)
        return found

    def _of_curve(self, components: CurveComponents) -> FloatArray:
        """(q,) the target of a curve, from its centre, in its units."""
        return (self.targets[components.curve.columns] - components.centre) / components.curve.units
