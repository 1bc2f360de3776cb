"""How likely what was measured is where all its errors may be larger than told, by one unknown factor.

What a simulator leaves out, and errors told too small, show alike: no settings meet the targets as well as
their errors let one expect. The factor is 1 at least, each of its logarithms as plausible beforehand, and is
integrated out. What models do not know is larger by it as well, which has it in closed form.

Notation: m numbers that were measured, p points, D coordinates, s the factor, c the misfit in what errors and
models let one expect, a = m / 2, x = c / 2: with u = x / s^2 the integral of s^-(m + 1) exp(-x / s^2) over s
from 1 is x^-a gamma(a, x) / 2, which is Student's t where c is far more than m, and flat far below.
Source: a common unknown factor of all errors, Gelman et al. 2013, section 14.2; factors below 1 are left out,
as in averages of the Particle Data Group.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from orchestrator.acquisition.averaged_likelihood import AveragedLikelihood
from orchestrator.arrays import FloatArray
from orchestrator.numerics.log_sum import log_sum
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False, slots=True)
class ScaledErrorsLikelihood:
    """By models of a ``likelihood``, of so many ``measured`` numbers. See `TargetLikelihood`."""

    likelihood: AveragedLikelihood
    measured: int

    @property
    def domain(self) -> Domain:
        """Of the points."""
        return self.likelihood.domain

    def log(self, points: FloatArray) -> FloatArray:
        """(p,) at (p, D) points, but for a constant."""
        members = self.likelihood.members
        each = [
            log_over_factors(squares, self.measured) - sizes / 2.0
            for squares, sizes in (one.squares_and_sizes(points) for one in members)
        ]
        return log_sum(np.array(each)) - math.log(len(members))

    def log_of_means(self, points: FloatArray) -> FloatArray:
        """(p,) the same, as if outcomes were what is expected of them."""
        return log_over_factors(-2.0 * self.likelihood.log_of_means(points), self.measured)

    def factors(self, points: FloatArray, rng: np.random.Generator) -> FloatArray:
        """(p,) a draw of s, at each of (p, D) points."""
        halves = self.likelihood.likeliest.squares_and_sizes(points)[0] / 2.0
        a, uniform = self.measured / 2.0, rng.random(len(points))
        # Of u up to x: where that is far below what is usual, its density rises as a power.
        below = special.gammainc(a, halves)
        within = np.where(below > 0.0, special.gammaincinv(a, uniform * below), halves * uniform ** (1.0 / a))
        return np.asarray(np.sqrt(np.maximum(halves / np.maximum(within, np.finfo(float).tiny), 1.0)))


def log_over_factors(squares: FloatArray, measured: int) -> FloatArray:
    """(p,) log of the integral, of (p,) c >= 0."""
    a, x = measured / 2.0, np.asarray(squares) / 2.0
    low, high = np.minimum(x, a), np.maximum(x, a)
    near = np.log(special.hyp1f1(1.0, a + 1.0, low)) - low - math.log(a)
    far = special.gammaln(a) + np.log(special.gammainc(a, high)) - a * np.log(high)
    return np.asarray(np.where(x < a, near, far) - math.log(2.0))
