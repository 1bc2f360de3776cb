"""What a Gaussian process believes of designs over the conditions that they are used in.

Notation: n results, k designs, m conditions with weights w; f (m,) a design's values in these, r(f) what they
are worth together, t its gradient, S the posterior covariance of f; d draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.over_conditions import counted_weights
from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import cholesky_each
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.unit_cube.domain import Domain

LEAST_VARIANCE = 1e-14
"""Of what is worth nothing more to be known, standardised."""
AT_ONCE = 256
"""Designs, so that what is drawn of them fits into memory."""


@dataclass(frozen=True, eq=False, slots=True)
class OverConditions:
    """Of a ``domain``'s designs in the conditions ``in_use``; ``draws`` (d, m) are standard normal, and the
    same for all designs, so that what is drawn of one can be compared with another.
    """

    domain: Domain
    in_use: ConditionsInUse
    draws: FloatArray

    def moments(self, posterior: ExactGP, designs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(k,) means and variances of r by one posterior, standardised and without noise: exact where r is
        the average, else of the draws.
        """
        parts = [designs[start : start + AT_ONCE] for start in range(0, len(designs), AT_ONCE)]
        found = [
            self._average(posterior, own) if self.is_average else self._drawn(posterior, own)[:2]
            for own in parts
        ]
        means, variances = (np.concatenate(one) for one in zip(*found, strict=True))
        return means, np.maximum(variances, LEAST_VARIANCE)

    def told(self, posterior: ExactGP, design: FloatArray, noise: float) -> FloatArray:
        """(m,) what part of the variance of r of a (1, D) design an evaluation in each condition would take
        away, which has a variance of ``noise`` beside that of all, standardised. Where r is not linear it
        covaries with each f_j as it does with S t, t being the mean of the draws' gradients (Stein's lemma).
        """
        if self.is_average:
            variance, counted = self._average(posterior, design)[1], self.in_use.weights
        else:
            _, variance, gradients = self._drawn(posterior, design)
            counted = gradients[0]
        _, prior, half = self._beliefs(posterior, design)
        covariances = prior - half[0] @ half[0].T
        own = np.maximum(np.diagonal(covariances), 0.0) + posterior.noise_variance + noise + LEAST_VARIANCE
        part = (covariances @ counted) ** 2 / (own * max(float(variance[0]), LEAST_VARIANCE))
        return np.asarray(np.clip(part, 0.0, 1.0))

    @property
    def is_average(self) -> bool:
        """Whether r is linear."""
        return self.in_use.over.is_average

    def _inputs(self, posterior: ExactGP, designs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m, m) prior covariances in the conditions of a design, which are the same of any as kernels see
        differences alone; and (n, k m) covariances of designs in them with the results.
        """
        X = self.domain.embed(self.in_use.at(designs))
        prior = posterior.covariance.matrix(X[: len(self.in_use.points)])
        if not len(posterior):
            return prior, np.zeros((0, len(X)))
        return prior, posterior.covariance.matrix(posterior.inputs, X)

    def _average(self, posterior: ExactGP, designs: FloatArray) -> tuple[FloatArray, FloatArray]:
        w, k = self.in_use.weights, len(designs)
        prior, cross = self._inputs(posterior, designs)
        averaged = cross.reshape(len(cross), k, len(w)) @ w
        explained = np.square(posterior.half_solve(averaged)).sum(axis=0)
        return np.asarray(posterior.alpha @ averaged), np.asarray(w @ prior @ w - explained)

    def _beliefs(self, posterior: ExactGP, designs: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(k, m) means of f, (m, m) prior covariances, and (k, m, n) H by which these are less, as H H'."""
        k, m = len(designs), len(self.in_use.points)
        prior, cross = self._inputs(posterior, designs)
        half = posterior.half_solve(cross).reshape(-1, k, m).transpose(1, 2, 0)
        return (posterior.alpha @ cross).reshape(k, m), prior, half

    def _drawn(self, posterior: ExactGP, designs: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(k,) means and variances of r, and (k, m) t."""
        means, prior, half = self._beliefs(posterior, designs)
        covariances = prior - half @ half.transpose(0, 2, 1)
        lower = cholesky_each(covariances, float(np.diagonal(prior).mean()))
        values = means[:, None, :] + self.draws @ lower.transpose(0, 2, 1)
        rows = values.reshape(-1, values.shape[2])
        gradients = counted_weights(rows, self.in_use.weights, self.in_use.over)
        worth = (gradients * rows).sum(axis=1).reshape(values.shape[:2])
        return worth.mean(axis=1), worth.var(axis=1), gradients.reshape(values.shape).mean(axis=1)


def antithetic_draws(count: int, conditions: int, rng: np.random.Generator) -> FloatArray:
    """(count, conditions) standard normal, in pairs that are each other's opposite."""
    half = rng.standard_normal((count // 2, conditions))
    return np.vstack([half, -half])
