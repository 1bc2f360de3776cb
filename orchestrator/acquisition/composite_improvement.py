"""Expected improvement of a known function of outcomes, by draws of these, as its logarithm.

Of n draws few or none may improve on the best at a point: what each improves by is smoothed, with a tail that
falls off slowly, so that there are gradients towards where more do.

Notation: S draws f_s of the outcomes at a point x, g the known function, b the best value, t > 0 the width of
the smoothing, u_s = (g(f_s, x) - b) / t; D coordinates, k points.
    log EI(x) = log t + log mean_s (log(1 + exp u_s) + TAIL / (1 + u_s^2))
Source: Astudillo & Frazier 2019, Eq. 3, for the draws; Ament et al. 2023, section 4.2, for the tail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.acquisition.outcome_draws import OutcomeDraws
from orchestrator.acquisition.posterior import share
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

TAIL = 0.1
LARGEST = 1e150
"""Of a drawn value: the square of how far two are apart is a number."""
FARTHEST = 1e70
"""Of u: the square of its square is a number."""
STEP = 1e-4
"""Of the unit cube, by which slopes along coordinates that the known function names are found."""
AT_ONCE = 4_000_000
"""Numbers drawn at a time: of more points they are drawn in parts."""


class Composed(NamedTuple):
    """What is believed of the known function at k points: (k,) means and deviations."""

    mean: FloatArray
    deviation: FloatArray


@dataclass(frozen=True, eq=False)
class Composite:
    """A known ``function`` of outcomes of which there are ``draws``, at points of a ``domain``."""

    domain: Domain
    function: KnownFunction
    draws: OutcomeDraws

    def drawn(self, points: FloatArray) -> FloatArray:
        """(S, k) draws of the value at (k, D) points, `LARGEST` at most; minus infinity where one is none."""
        count = max(1, AT_ONCE // (len(self.draws.normals[0]) * self.function.outcomes))
        parts = [points[start : start + count] for start in range(0, len(points), count)] or [points]
        values = [self.function.values(self.draws.at(self.domain.embed(one)), one) for one in parts]
        return _numbers(np.concatenate(values, axis=1))

    def believed(self, points: FloatArray) -> Composed:
        """At (k, D) points, of what are numbers; of nothing but what are none, minus infinity."""
        drawn = self.drawn(points)
        finite = np.isfinite(drawn)
        count = np.maximum(finite.sum(axis=0), 1)
        filled = np.where(finite, drawn, 0.0)
        mean = filled.sum(axis=0) / count
        square = np.where(finite, (drawn - mean) ** 2, 0.0).sum(axis=0) / count
        return Composed(np.where(finite.any(axis=0), mean, -np.inf), np.sqrt(square))


@dataclass(frozen=True, eq=False)
class LogCompositeImprovement:
    """At (k, D) points of the unit cube: values (k,) and gradients (k, D) of the logarithm of what is
    expected over a ``best`` value, smoothed by a ``width`` > 0.
    """

    composite: Composite
    best: float
    width: float

    def values(self, X: FloatArray) -> FloatArray:
        """(k,) values at (k, D) points."""
        return self._logarithm(self.composite.drawn(X))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(k,) values and (k, D) gradients."""
        domain, function = self.composite.domain, self.composite.function
        outcomes, pulled = self.composite.draws.with_slopes(domain.embed(X))
        told, slopes = function.values_and_slopes(outcomes, X)
        drawn = _numbers(told)
        u = self._scores(drawn)
        weights = _slope(u) / np.maximum(_smoothed(u).sum(axis=0), np.finfo(float).tiny)
        weights = np.where(np.abs(drawn) < LARGEST, weights, 0.0) / self.width
        weighed = weights[:, :, None] * np.where(np.isfinite(slopes), slopes, 0.0)
        gradients = domain.along_coordinates(pulled(weighed), X)
        for coordinate in np.flatnonzero(function.named & domain.is_climbed):
            low, high = X.copy(), X.copy()
            low[:, coordinate] = np.maximum(X[:, coordinate] - STEP, 0.0)
            high[:, coordinate] = np.minimum(X[:, coordinate] + STEP, 1.0)
            rise = function.values(outcomes, high) - function.values(outcomes, low)
            along = rise / (high[:, coordinate] - low[:, coordinate])
            gradients[:, coordinate] += (weights * np.where(np.isfinite(along), along, 0.0)).sum(axis=0)
        return self._logarithm(drawn), gradients

    def exploration(self, X: FloatArray) -> FloatArray:
        """(k,) what of the improvement at (k, D) points would not be there if outcomes came as expected."""
        improvement = np.maximum(self.composite.drawn(X) - self.best, 0.0).mean(axis=0)
        means = self.composite.draws.at(self.composite.domain.embed(X)).mean(axis=0)[None]
        sure = np.maximum(_numbers(self.composite.function.values(means, X))[0] - self.best, 0.0)
        apart = np.abs(improvement - sure)
        return share(apart, sure)

    def _scores(self, drawn: FloatArray) -> FloatArray:
        return np.asarray(np.clip((drawn - self.best) / self.width, -FARTHEST, FARTHEST))

    def _logarithm(self, drawn: FloatArray) -> FloatArray:
        mean: FloatArray = _smoothed(self._scores(drawn)).mean(axis=0)
        return np.asarray(np.log(self.width) + np.log(np.maximum(mean, np.finfo(float).tiny)))


def _numbers(values: FloatArray) -> FloatArray:
    return np.asarray(np.where(np.isfinite(values), np.clip(values, -LARGEST, LARGEST), -np.inf))


def _smoothed(u: FloatArray) -> FloatArray:
    return np.asarray(np.logaddexp(0.0, u) + TAIL / (1.0 + u * u))


def _slope(u: FloatArray) -> FloatArray:
    sigmoid = np.exp(-np.logaddexp(0.0, -u))
    return np.asarray(sigmoid - 2.0 * TAIL * u / (1.0 + u * u) ** 2)
