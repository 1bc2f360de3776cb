"""Fits of which it is known how plausible all parameters are: by very many evaluations, weighed.

Beforehand parameters are uniform over the unit cube. What is cheap is evaluated all over it; what is not, at
draws about the truth that are distributed as Student's t, with the covariance that slopes there say.

Notation: D parameters, m outcomes, n points, S draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks.functions.calibrations import CALIBRATIONS, Calibration, Copy, fit_to
from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import cholesky
from orchestrator.numerics.rng import stream

LOG2_EVENLY, ABOUT_THE_TRUTH = 17, 1_000
FREEDOM, WIDER = 4.0, 1.3
"""Degrees of freedom of Student's t, and how many times as wide it is as the slopes say."""
STEP = 1e-4
LEAST_WEIGHT = 1e-9
"""Of the largest: of points with less nothing is seen."""
ENDS = (0.16, 0.84)
"""Which shares of a posterior lie below the ends of an interval that holds 68 %."""


@dataclass(frozen=True, eq=False, slots=True)
class TruePosterior:
    """(n, D) ``points`` with (n,) ``weights``, which add up to 1."""

    points: FloatArray
    weights: FloatArray

    def off(self, drawn: FloatArray) -> float:
        """How far the margins of (S, D) draws are off: the 1-Wasserstein distance in units of the true
        deviation, on average over the parameters.
        """
        # Not above: whoever reads the help need not wait for it.
        from scipy.stats import wasserstein_distance

        found = [
            wasserstein_distance(own, true, None, self.weights)
            for own, true in zip(drawn.T, self.points.T, strict=True)
        ]
        return float(np.mean(np.array(found) / self._deviations))

    def ends_off(self, drawn: FloatArray) -> float:
        """How far the ends of 68 % intervals of (S, D) draws are off, in the same unit and on average."""
        own = np.quantile(drawn, ENDS, axis=0)
        true = np.column_stack([self._quantiles(column) for column in self.points.T])
        return float(np.mean(np.abs(own - true) / self._deviations))

    def held(self, drawn: FloatArray, share: float) -> float:
        """How much of it lies in the intervals that hold a ``share`` of (S, D) draws, from 0 to 1 and on
        average over the parameters.
        """
        low, high = np.quantile(drawn, [(1.0 - share) / 2.0, (1.0 + share) / 2.0], axis=0)
        within = (low <= self.points) & (self.points <= high)
        return float((self.weights @ within).mean())

    @property
    def _deviations(self) -> FloatArray:
        mean = self.weights @ self.points
        return np.asarray(np.sqrt(self.weights @ np.square(self.points - mean)))

    def _quantiles(self, column: FloatArray) -> FloatArray:
        order = np.argsort(column)
        return np.interp(ENDS, np.cumsum(self.weights[order]), column[order])


@dataclass(frozen=True)
class FitWithPosterior:
    """A ``calibration``; ``all_over``: it is cheap enough to be evaluated all over the unit cube."""

    calibration: Calibration
    all_over: bool

    @property
    def dimension(self) -> int:
        """D."""
        return self.calibration.dimension

    @property
    def outcomes(self) -> int:
        """m."""
        return self.calibration.outcomes

    @property
    def evaluations(self) -> int:
        """The budget."""
        return self.calibration.evaluations


def _decay(u: FloatArray) -> FloatArray:
    """What is left of two kinds at eight times, of which nobody says which is which: there are two modes."""
    first, second = 0.1 * 10.0 ** (1.5 * u[:2])
    share = 0.2 + 0.6 * u[2]
    times = np.array([0.3, 0.6, 1.0, 1.5, 2.5, 4.0, 6.0, 10.0])
    return np.asarray(share * np.exp(-first * times) + (1.0 - share) * np.exp(-second * times))


FITS: Mapping[str, FitWithPosterior] = {
    "spill": FitWithPosterior(CALIBRATIONS["spill"], True),
    "outbreak": FitWithPosterior(CALIBRATIONS["outbreak"], False),
    "prey": FitWithPosterior(CALIBRATIONS["prey"], False),
    "valley": FitWithPosterior(CALIBRATIONS["valley"], True),
    "decay": FitWithPosterior(Calibration(3, 8, 30, "two decays", fit_to(3, _decay, 0.02)), True),
}
"""By their names."""


@cache
def posterior_of(name: str, seed: int) -> TruePosterior:
    """Of a seed's copy, whose targets are what its truth returns. Takes a few seconds."""
    from scipy.stats import qmc

    fit = FITS[name]
    copy, rng = fit.calibration.of_seed(seed), stream(seed, f"true posterior, {name}")
    if fit.all_over:
        points = qmc.Sobol(fit.dimension, seed=rng).random_base2(LOG2_EVENLY)
        logarithms = np.zeros(len(points))
    else:
        points, logarithms = _about_the_truth(copy, rng)
    logarithms = misfits(copy, points) / -2.0 - logarithms
    weights = np.exp(logarithms - logarithms.max())
    kept = weights > LEAST_WEIGHT
    return TruePosterior(points[kept], weights[kept] / weights[kept].sum())


def misfits(copy: Copy, points: FloatArray) -> FloatArray:
    """(n,) at (n, D) points."""
    outcomes = np.array([copy.outcomes(point) for point in points])
    return np.asarray(-copy.function.values(outcomes[None], points)[0])


def _about_the_truth(copy: Copy, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """(n, D) points in the unit cube with (n,) logarithms of their density, but for a constant."""
    assert copy.truth is not None
    truth, dimension = copy.truth, len(copy.truth)
    sides = [copy.outcomes(truth + step) - copy.outcomes(truth - step) for step in STEP * np.eye(dimension)]
    slopes = np.array(sides) / (2.0 * STEP * copy.function.units)
    # A parameter that changes nothing is uniform, whose variance is a twelfth.
    L = cholesky(np.asarray(np.linalg.inv(slopes @ slopes.T + 12.0 * np.eye(dimension)), dtype=float)).lower
    chi = np.sqrt(rng.chisquare(FREEDOM, ABOUT_THE_TRUTH) / FREEDOM)
    z = rng.standard_normal((ABOUT_THE_TRUTH, dimension)) / chi[:, None]
    points = truth + WIDER * z @ L.T
    within = ((points > 0.0) & (points < 1.0)).all(axis=1)
    density = -(FREEDOM + dimension) / 2.0 * np.log1p(np.square(z).sum(axis=1) / FREEDOM)
    return points[within], density[within]
