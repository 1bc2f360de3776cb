"""The evidence of a kernel as a function of its hyperparameters, and the most probable ones.

What a kernel has to say is put as a `PairModel`: its covariances of all pairs of points, and how they change
with each hyperparameter. The rest is the same for all of them.

Notation: n points, P = n (n - 1) / 2 pairs, k free hyperparameters, theta (k,) their logarithms, K (n, n) the
covariance of the values with their noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import Factorisation, cholesky
from orchestrator.numerics.pairs import above_diagonal, symmetric
from orchestrator.surrogates.beliefs import LogNormal, LogNormals
from orchestrator.surrogates.mode_search import Mode, highest_mode
from orchestrator.surrogates.pair_evidence import expected_information, integrated_out, log_likelihood
from orchestrator.surrogates.pairwise_data import PairwiseData

H = TypeVar("H")

# theta is searched this many of its belief's deviations either side of the median.
REACH = 4.0


@dataclass(frozen=True, eq=False, slots=True)
class PairCovariances:
    """(P,) covariances of pairs, the prior ``variance`` and the ``noise`` of each value, and the derivatives
    of all three by theta: ``slopes`` (k, P), ``variance_slopes`` (k,) and ``noise_slopes`` (k,). Where values
    differ in their variance it is (n,), and its slopes are (k, n).
    """

    pairs: FloatArray
    variance: float | FloatArray
    noise: float
    slopes: FloatArray
    variance_slopes: FloatArray
    noise_slopes: FloatArray

    @property
    def diagonal_slopes(self) -> FloatArray:
        """(k, n), or (k, 1) where they are the same for all values: derivatives of variance and noise."""
        slopes: FloatArray = self.variance_slopes.reshape(len(self.slopes), -1) + self.noise_slopes[:, None]
        return slopes


class PairModel(Protocol[H]):
    """A kernel whose hyperparameters are to be found."""

    @property
    def beliefs(self) -> tuple[LogNormal, ...]:
        """(k,) what is believed of each free hyperparameter."""
        ...

    @property
    def cold_starts(self) -> Sequence[FloatArray]:
        """(k,) each: from where to search, in this order, if nothing better is known."""
        ...

    def hyperparameters(self, theta: FloatArray) -> H:
        """theta as a value that other parts can read."""
        ...

    def theta(self, values: H) -> FloatArray:
        """(k,) the free logarithms nearest to ``values``."""
        ...

    def covariances(self, theta: FloatArray) -> PairCovariances:
        """Of all pairs of points, without the noise that values brought themselves."""
        ...


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
        value, G = log_likelihood(self.data.y, self._factorise(at))
        along = 0.5 * np.diagonal(G)
        slope = at.slopes @ above_diagonal(G) + (at.diagonal_slopes * along).sum(axis=1)
        deviation, z = self._believed.deviations, self._believed.scores(theta)
        value -= float(0.5 * z @ z + np.log(deviation).sum()) + 0.5 * len(z) * math.log(2.0 * math.pi)
        return value, slope - z / deviation

    def log_marginal(self, theta: FloatArray) -> float:
        """log p(y), theta integrated out around its mode: see `integrated_out`."""
        at = self.model.covariances(theta)
        information = expected_information(self._factorise(at).inverse(), at.slopes, at.diagonal_slopes)
        value, _ = self.log_posterior(theta)
        return integrated_out(value, information, self._believed.deviations)

    def fit(self, warm: H | None, starts: int, iterations: int) -> Mode[H]:
        """The highest mode found from ``warm``, if given, and cold starts, ``starts`` in all. Deterministic.

        Raises FactorisationError if no start can be factorised.
        """
        bounds = self._believed.within(REACH)
        before = [] if warm is None else [self.model.theta(warm)]
        chosen = [*before, *self.model.cold_starts][: max(1, starts)]
        within = [np.clip(start, bounds[:, 0], bounds[:, 1]) for start in chosen]
        best = highest_mode(self.log_posterior, within, bounds, iterations)
        return Mode(self.model.hyperparameters(best), self.log_marginal(best))

    @cached_property
    def _believed(self) -> LogNormals:
        """What is believed of theta."""
        return LogNormals.of(self.model.beliefs)

    def _factorise(self, at: PairCovariances) -> Factorisation:
        diagonal = at.variance + at.noise + self.data.extra_noise
        return cholesky(symmetric(at.pairs, len(self.data), diagonal), scale=float(np.mean(at.variance)))
