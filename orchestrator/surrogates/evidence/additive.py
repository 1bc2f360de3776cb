"""The evidence of an additive GP as a function of its hyperparameters, with gradients, fast enough for MCMC.

Notation: n points, P = n (n - 1) / 2 pairs, S (D, P) squared differences, l (D,) length-scales, v (F,)
variances, A (n, n) covariance of the values with their noise, theta (k,) and phi (D + F + 1,) the logarithms
of the free and of all hyperparameters (`hyperparameters.additive.Parameterisation`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import Factorisation, cholesky
from orchestrator.numerics.pairs import symmetric
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.evidence.by_pairs import (
    by_covariances,
    expected_information,
    integrated_out,
    log_likelihood,
)
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.hyperparameters.additive import Parameterisation

INFORMATION_BUDGET = 2e9
"""Multiplications that `log_marginal` spends on the information matrix before it thins the data."""


@dataclass(frozen=True, eq=False, slots=True)
class _Covariance:
    """What theta makes of all pairs: l, v and the noise variance; (F, P) ``correlations`` and ``slopes``, by
    the squared scaled distances; and A, factorised.
    """

    scales: FloatArray
    variances: FloatArray
    noise: float
    correlations: FloatArray
    slopes: FloatArray
    factor: Factorisation


@dataclass(frozen=True, eq=False)
class AdditiveEvidence:
    """log p(y | theta) for one decomposition (Rasmussen & Williams 2006, Eqs. 2.30 and 5.9)."""

    pairs: PairwiseData
    family: KernelFamily
    parameterisation: Parameterisation

    @property
    def graph(self) -> FactorGraph:
        """The decomposition."""
        return self.parameterisation.graph

    def log_evidence(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """Its value and its gradient (k,). Raises FactorisationError where no factor can be had."""
        at = self._covariance(theta)
        scales, variances = at.scales, at.variances
        value, alpha = log_likelihood(self.pairs.y, at.factor)
        by_pairs, by_variances = by_covariances(alpha, at.factor)
        trace = float(by_variances.sum())
        by_phi = np.zeros(len(scales) + len(variances) + 1)
        weighted = np.multiply(at.slopes, by_pairs, out=at.slopes)
        for factor, S, v, weights in zip(self.graph.indices, self._squared, variances, weighted, strict=True):
            by_phi[factor] -= (2.0 * v) * (S @ weights) / scales[factor] ** 2
        by_phi[len(scales) : -1] = variances * (at.correlations @ by_pairs + trace)
        by_phi[-1] = at.noise * trace
        return value, self.parameterisation.T.T @ by_phi

    def log_posterior(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """log p(y | theta) + log p(theta) and its gradient (k,)."""
        evidence, by_evidence = self.log_evidence(theta)
        prior, by_prior = self.parameterisation.log_prior(theta)
        return evidence + prior, by_evidence + by_prior

    def log_marginal(self, theta: FloatArray) -> float:
        """log p(y), theta integrated out around its mode: see `integrated_out`.

        Above `INFORMATION_BUDGET` the information of evenly thinned data is scaled up.
        """
        k, n = len(theta), len(self.pairs)
        if n == 0:
            return 0.0
        kept = int(min(n, max(20.0, (INFORMATION_BUDGET / (k + 1)) ** (1 / 3))))
        at = self._covariance(theta)
        if kept < n:
            thinned = AdditiveEvidence(self.pairs.thinned(kept), self.family, self.parameterisation)
            information = thinned._information(thinned._covariance(theta)) * (n / kept)
        else:
            information = self._information(at)
        evidence, _ = log_likelihood(self.pairs.y, at.factor)
        prior, _ = self.parameterisation.log_prior(theta)
        return integrated_out(evidence + prior, information, self.parameterisation.deviation)

    def _information(self, at: _Covariance) -> FloatArray:
        """(k, k) expected information."""
        D, F = len(at.scales), len(at.variances)
        off_diagonal = np.zeros((D + F + 1, self.pairs.squared.shape[1]))
        by_scale = off_diagonal[:D]
        for factor, v, slope in zip(self.graph.indices, at.variances, at.slopes, strict=True):
            by_scale[factor] += v * slope
        weights = -2.0 * self.pairs.squared
        weights /= at.scales[:, None] ** 2
        by_scale *= weights
        np.multiply(at.variances[:, None], at.correlations, out=off_diagonal[D:-1])
        diagonal = np.concatenate([np.zeros(D), at.variances, [at.noise]])
        T = self.parameterisation.T
        return expected_information(at.factor.inverse(), T.T @ off_diagonal, (T.T @ diagonal)[:, None])

    def _covariance(self, theta: FloatArray) -> _Covariance:
        """Raises FactorisationError."""
        scales, variances, noise = self.parameterisation.natural(theta)
        correlations, slopes = self._factor_by_factor(scales)
        # Of one factor a product of matrices is the same to the bit, in five times as long.
        pairs = variances[0] * correlations[0] if len(variances) == 1 else variances @ correlations
        factor = self._factorise(pairs, float(variances.sum()), noise)
        return _Covariance(scales, variances, noise, correlations, slopes, factor)

    @cached_property
    def _squared(self) -> tuple[FloatArray, ...]:
        """F (d, P): the rows of S that each factor sees. A fit looks at them dozens of times."""
        return tuple(self.pairs.squared[factor] for factor in self.graph.indices)

    def _factor_by_factor(self, scales: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Correlations (F, P) and their slopes in the squared scaled distances (F, P)."""
        weights = scales**-2.0
        if self.graph.size == 1:
            factor = self.graph.indices[0]
            one, slope = self.family.correlation_and_slope(weights[factor] @ self._squared[0])
            return one[None, :], slope[None, :]
        distances = np.empty((self.graph.size, self.pairs.squared.shape[1]))
        for factor, S, place in zip(self.graph.indices, self._squared, distances, strict=True):
            np.matmul(weights[factor], S, out=place)
        return self.family.correlation_and_slope(distances)

    def _factorise(self, off_diagonal: FloatArray, prior_variance: float, noise: float) -> Factorisation:
        diagonal = prior_variance + noise + self.pairs.extra_noise
        pairs = self.pairs.with_offsets(off_diagonal)
        return cholesky(symmetric(pairs, len(self.pairs), diagonal), scale=prior_variance)
