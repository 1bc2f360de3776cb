"""The evidence of a kernel as a function of its hyperparameters.

What a kernel has to say is put as a `PairModel`; the rest is the same for all of them.

Notation: n points, P = n (n - 1) / 2 pairs, k free hyperparameters, theta (k,) their logarithms, K (n, n) the
covariance of the values with their noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import Factorisation, cholesky
from orchestrator.numerics.pairs import symmetric
from orchestrator.surrogates.evidence.by_pairs import (
    by_covariances,
    expected_information,
    integrated_out,
    log_likelihood,
)
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.hyperparameters.beliefs import LogNormals
from orchestrator.surrogates.hyperparameters.pair_model import PairCovariances, PairModel

H = TypeVar("H")


@dataclass(frozen=True, eq=False)
class KernelEvidence(Generic[H]):
    """log p(y | theta) of standardised values under a model of their pairs (Rasmussen & Williams 2006,
    Eqs. 2.30 and 5.9).
    """

    data: PairwiseData
    model: PairModel[H]

    def log_posterior(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """log p(y | theta) + log p(theta) and its gradient (k,). Raises FactorisationError."""
        at = self.model.covariances(theta)
        factor, z = self._factorise(at), self.believed.scores(theta)
        value, alpha = log_likelihood(self.data.y, factor)
        by_pairs, by_variances = by_covariances(alpha, factor)
        slope = at.slopes @ by_pairs + (at.diagonal_slopes * by_variances).sum(axis=1)
        return value - self._minus_log_prior(z), slope - z / self.believed.deviations

    def log_marginal(self, theta: FloatArray) -> float:
        """log p(y), theta integrated out around its mode: see `integrated_out`."""
        at = self.model.covariances(theta)
        factor, z = self._factorise(at), self.believed.scores(theta)
        information = expected_information(factor.inverse(), at.slopes, at.diagonal_slopes)
        value, _ = log_likelihood(self.data.y, factor)
        return integrated_out(value - self._minus_log_prior(z), information, self.believed.deviations)

    @cached_property
    def believed(self) -> LogNormals:
        """What is believed of theta."""
        return LogNormals.of(self.model.beliefs)

    @cached_property
    def _log_deviations(self) -> float:
        """Their sum."""
        return float(np.log(self.believed.deviations).sum())

    def _minus_log_prior(self, z: FloatArray) -> float:
        """-log p(theta), by how many deviations theta is above the medians."""
        return float(0.5 * z @ z + self._log_deviations) + 0.5 * len(z) * math.log(2.0 * math.pi)

    def _factorise(self, at: PairCovariances) -> Factorisation:
        diagonal = at.variance + at.noise + self.data.extra_noise
        pairs = self.data.with_offsets(at.pairs)
        return cholesky(symmetric(pairs, len(self.data), diagonal), scale=float(np.mean(at.variance)))
