"""How much of what is not known of a likelihood one more evaluation is expected to take, by the logarithm.

What was measured has a likelihood at each place of the domain, which models of outcomes know up to a
variance. How much of that an evaluation takes depends on what comes of it; what it is expected to take is
known beforehand, exactly: what is believed of outcomes is normal, and so are errors of what was measured.

Notation: P places, p points evaluated, E embedded columns; outcomes in groups, of each of which r directions
are turned as in `target_likelihood`: b (P, r) how far their means are off what was measured, in errors, and
v s (P, r) by how much they vary, with v (P,) of the group and s (r,) its shares. L is the likelihood. An
evaluation at z takes t(x, z) = c(x, z)^2 / (v(z) + noise) of v at x. Up to a constant

    log E[E[L | z]^2] = sum -log((1 + (v - t) s) (1 + (v + t) s)) / 2 - b^2 / (1 + (v + t) s)

which is log E[L]^2 for t = 0, and log E[L^2] for t = v. What runs is evaluated before z, and takes a part of
v as well, whatever comes of it.
Source: Sürer, Plumlee & Wild 2024, "Sequential Bayesian experimental design for calibration of expensive
simulation models", section 3.2; after Sinsbeck & Nowak 2017 and Järvenpää et al. 2019.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.acquisition.target_likelihood import FittedGroup
from orchestrator.arrays import FloatArray
from orchestrator.numerics.log_sum import log_sum
from orchestrator.surrogates.posteriors.covariances_with import CovariancesWith, covariances_with
from orchestrator.surrogates.posteriors.exact import ExactGP

NOTHING = float(np.finfo(float).tiny)
"""So that a logarithm is finite where nothing is to be learned."""
LEAST_SHARE = 1e-9
"""A direction that varies by less, in errors, squared, is known."""
MOST_SLOPE = 30.0
"""Of a logarithm: where a rise is rounding, so is its slope."""


@dataclass(frozen=True, eq=False, slots=True)
class GroupAtPlaces:
    """What is believed of a ``group`` of outcomes at P places: (P, r) ``off``, b, and (P,) ``variances``, v;
    (P,) ``rest`` is the square of how far they are off at right angles to all directions.
    """

    group: FittedGroup
    off: FloatArray
    rest: FloatArray
    variances: FloatArray

    @classmethod
    def of(cls, group: FittedGroup, places: FloatArray) -> GroupAtPlaces:
        """At (P, E) places."""
        mean, deviation = group.group.model.beliefs(places)
        apart = group.apart(mean)
        off = apart @ group.along
        rest = np.maximum(np.square(apart).sum(axis=1) - np.square(off).sum(axis=1), 0.0)
        return cls(group, off, rest, np.square(deviation))

    def log_square(self, taken: FloatArray) -> FloatArray:
        """(..., P) the group's part of log E[E[L | z]^2], of (..., P) t."""
        return self.log_square_and_slopes(taken)[0]

    def log_square_and_slopes(self, taken: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same with its (..., P) slopes along t, each 0 or more."""
        total, slopes = np.zeros(taken.shape) - self.rest, np.zeros(taken.shape)
        left, moved = np.maximum(self.variances - taken, 0.0), self.variances + taken
        for share, off in zip(self.group.shares, np.square(self.off).T, strict=True):
            if share * self.variances.max(initial=0.0) < LEAST_SHARE:
                total -= off
                continue
            known, spread = 1.0 + share * left, 1.0 + share * moved
            missed = off / spread
            total -= 0.5 * _log_product(known, spread) + missed
            slopes += share * (0.5 / known + (missed - 0.5) / spread)
        return total, slopes


def _log_product(a: FloatArray, b: FloatArray) -> FloatArray:
    """log(a b) of positive ones, also where their product is beyond a float."""
    with np.errstate(over="ignore"):
        product = a * b
    return np.where(np.isinf(product), np.log(a) + np.log(b), np.log(product))


@dataclass(frozen=True, eq=False, slots=True)
class GroupTaken:
    """What an evaluation takes of a group's variances ``at`` P places, of which what runs takes (P,)
    ``before``. ``covariances`` are with the places, as they are beside what runs.
    """

    at: GroupAtPlaces
    before: FloatArray
    covariances: CovariancesWith

    @classmethod
    def of(cls, at: GroupAtPlaces, places: FloatArray) -> GroupTaken:
        """Of (P, E) places, of a group whose model holds what runs by now."""
        uncertain = at.group.group.model.uncertain
        left = uncertain.mean_and_variance(places)[1]
        return cls(at, np.maximum(at.variances - left, 0.0), covariances_with(uncertain, places))

    @property
    def _uncertain(self) -> ExactGP:
        return self.at.group.group.model.uncertain

    def taken(self, X: FloatArray) -> FloatArray:
        """(p, P) t at (p, E) inputs, what runs included."""
        total = self._uncertain.mean_and_variance(X)[1] + self._uncertain.noise_variance
        return np.asarray(self.before + self.covariances.matrix(X) ** 2 / total[:, None])

    def taken_and_gradient(self, X: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        """The same, and what turns (p, P) weights of it into the (p, E) gradients of their sum."""
        at, cross = self._uncertain.value_gradients(X), self.covariances.cross(X)
        total = (at.variance + self._uncertain.noise_variance)[:, None]
        taken = cross.values**2 / total

        def gradient(weights: FloatArray) -> FloatArray:
            by_covariance = cross.weighted_gradient(2.0 * weights * cross.values)
            by_variance = (weights * taken).sum(axis=1)[:, None] * at.variance_gradient
            return np.asarray((by_covariance - by_variance) / total)

        return self.before + taken, gradient


@dataclass(frozen=True, eq=False)
class LogLikelihoodLearned:
    """Of ``groups`` at P places, each of which counts by the exponential of (P,) ``log_weights``: at (p, E)
    inputs, values (p,) and gradients (p, E) of the logarithm of what an evaluation there is expected to take,
    beside what runs. To be asked while the models hold what runs, as of the groups.
    """

    groups: Sequence[GroupTaken]
    log_weights: FloatArray

    def values(self, X: FloatArray) -> FloatArray:
        """(p,) values."""
        return self._gained(np.asarray(sum(one.at.log_square(one.taken(X)) for one in self.groups)))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) values and (p, E) gradients."""
        reached, pulled = np.zeros((len(X), len(self.log_weights))), []
        for one in self.groups:
            taken, gradient = one.taken_and_gradient(X)
            squares, slopes = one.at.log_square_and_slopes(taken)
            reached += squares
            pulled.append((slopes, gradient))
        values, total = self._gained(reached), np.zeros(X.shape)
        shares = np.exp(np.minimum(reached + self.log_weights - values[:, None], MOST_SLOPE))
        for slopes, gradient in pulled:
            total += gradient(shares * slopes)
        return values, total

    @property
    def left(self) -> float:
        """The logarithm of all that there is to be taken, beside what runs."""
        return float(self._gained(self._whole[None, :])[0])

    @property
    def unknown(self) -> float:
        """By how much the likelihood may be off, as a part of its size, in [0, 1], beside what runs."""
        whole = float(log_sum((self._whole + self.log_weights)[:, None])[0])
        return math.exp(0.5 * min(self.left - whole, 0.0))

    def _gained(self, reached: FloatArray) -> FloatArray:
        """(p,) of (p, P) log E[E[L | z]^2]."""
        share = -np.expm1(-np.maximum(reached - self._before, 0.0))
        return log_sum((reached + self.log_weights + np.log(np.maximum(share, NOTHING))).T)

    @cached_property
    def _before(self) -> FloatArray:
        return np.asarray(sum(one.at.log_square(one.before) for one in self.groups))

    @cached_property
    def _whole(self) -> FloatArray:
        """(P,) log E[L^2]."""
        return np.asarray(sum(one.at.log_square(one.at.variances) for one in self.groups))
