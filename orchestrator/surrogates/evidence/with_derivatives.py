"""The log evidence of values and derivatives together, its gradient, and how well each value is foretold.

Notation: N rows, some of values and others of derivatives, n results, E embedded columns, C the covariance of
the rows, K = C + noise, alpha = K^-1 y, W = (alpha alpha' - K^-1) / 2, so that
d log p / d theta = sum_ij W_ij dK_ij / d theta.
Source: Rasmussen & Williams 2006, Eqs. 2.30 and 5.9; of what is left out, Eqs. 5.10 to 5.12, by blocks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.numerics.linalg import Factorisation, cholesky
from orchestrator.surrogates.covariances.with_derivatives import (
    OF_A_VALUE,
    Pairs,
    WithDerivatives,
    along,
)


@dataclass(frozen=True, eq=False, slots=True)
class DerivativeData:
    """(N, E + 1) ``rows``, (N,) standardised ``y``, (N,) the numbers of the ``results`` that they are of, and
    (N,) noise variances that were told, 0 of derivatives; ``aspects`` (E,) says which columns share a
    length-scale.
    """

    rows: FloatArray
    y: FloatArray
    results: IndexArray
    noise: FloatArray
    aspects: IndexArray

    @property
    def dimension(self) -> int:
        """How many length-scales there are."""
        return int(self.aspects.max()) + 1

    @property
    def values(self) -> DerivativeData:
        """The values alone."""
        return self.of(along(self.rows) == OF_A_VALUE)

    def of(self, kept: BoolArray) -> DerivativeData:
        """Some of the (N,) rows."""
        own = self.rows[kept], self.y[kept], self.results[kept], self.noise[kept]
        return DerivativeData(*own, self.aspects)

    def noise_variances(self, kernel: WithDerivatives, of_values: float, ratio: float) -> FloatArray:
        """(N,) ``of_values`` and what was told with each; of derivatives ``ratio`` of their variance."""
        is_value = along(self.rows) == OF_A_VALUE
        return np.where(is_value, of_values + self.noise, ratio * kernel.diagonal(self.rows))


@dataclass(frozen=True, eq=False, slots=True)
class DerivativeEvidence:
    """log p(y) and its derivatives by the logarithms of each length-scale, of the variance, of the values'
    noise variance and of the derivatives' ratio.
    """

    value: float
    by_length_scale: FloatArray
    by_variance: float
    by_noise: float
    by_ratio: float


def evidence_with_derivatives(
    kernel: WithDerivatives, data: DerivativeData, noise_variance: float, ratio: float
) -> DerivativeEvidence:
    """Of all rows: O(N^3 + N^2 E). Raises FactorisationError where the covariance cannot be factorised."""
    pairs, column = Pairs(kernel, data.rows, data.rows), along(data.rows)
    is_value = column == OF_A_VALUE
    of_ratio = np.where(is_value, 0.0, ratio * kernel.diagonal(data.rows))
    factor = _factorised(pairs.values, data.noise_variances(kernel, noise_variance, ratio))
    alpha = factor.solve(data.y)
    value = -0.5 * (float(data.y @ alpha) + factor.log_determinant + len(data.y) * math.log(2.0 * math.pi))
    W = 0.5 * (np.outer(alpha, alpha) - factor.inverse())
    diagonal = np.diagonal(W)
    by_ratio = diagonal * of_ratio
    return DerivativeEvidence(
        value,
        np.bincount(data.aspects, _by_columns(kernel, pairs, W, by_ratio)).astype(float),
        float(np.vdot(W, pairs.values) + by_ratio.sum()),
        noise_variance * float(diagonal[is_value].sum()),
        float(by_ratio.sum()),
    )


def _by_columns(kernel: WithDerivatives, pairs: Pairs, W: FloatArray, by_ratio: FloatArray) -> FloatArray:
    """(E,) sum_ij W_ij dK_ij / d log l_e. Half of it is through s, the other through what is divided by
    l_e^2 in the derivatives along e.
    """
    _, slope, curved, third = pairs.shapes
    inputs, column = pairs.A[:, :-1], along(pairs.A)
    derived = column != OF_A_VALUE
    M = W * pairs.combined(slope, curved, third)
    centred = (inputs - inputs.mean(axis=0)) / kernel.length_scales
    sums = M.sum(axis=1) + M.sum(axis=0)
    through_s = sums @ centred**2 - 2.0 * np.einsum("ie,ie->e", centred, M @ centred)
    of_values = np.where(derived[None, :], 0.0, 2.0 * slope * pairs.first)
    each = (W * (of_values - 4.0 * curved * pairs.first * pairs.second)).sum(axis=1)
    both = (W * (-2.0 * slope * pairs.same)).sum(axis=1)
    direct = kernel.variance * (2.0 * each + both) + by_ratio
    own = np.bincount(column[derived], direct[derived], minlength=inputs.shape[1])
    return np.asarray(-2.0 * (kernel.variance * through_s + own))


def values_foretold(
    kernel: WithDerivatives, data: DerivativeData, noise_variance: float, ratio: float
) -> float:
    """The sum of the log densities of each value by all that other results told: what hypotheses are compared
    by, whether or not they make use of derivatives. As `values_left_out`.
    """
    off, variances = values_left_out(kernel, data, noise_variance, ratio)
    total = 0.0
    for each, variance in zip(off.tolist(), variances.tolist(), strict=True):
        total -= 0.5 * (each**2 / variance + math.log(2.0 * math.pi * variance))
    return total


def values_left_out(
    kernel: WithDerivatives, data: DerivativeData, noise_variance: float, ratio: float
) -> tuple[FloatArray, FloatArray]:
    """(n,) by how much each value is above what other results say of it, its own derivatives left out with
    it, and (n,) variances of that, noise and all. O(N^3).

    Raises FactorisationError where the covariance cannot be factorised.
    """
    factor = _factorised(kernel.matrix(data.rows), data.noise_variances(kernel, noise_variance, ratio))
    precision, alpha = factor.inverse(), factor.solve(data.y)
    is_value = along(data.rows) == OF_A_VALUE
    off, variances = list[float](), list[float]()
    for result in data.results[is_value]:
        rows = np.flatnonzero(data.results == result)
        rows = np.concatenate([rows[is_value[rows]], rows[~is_value[rows]]])
        left_out = cholesky(precision[np.ix_(rows, rows)])
        first = np.zeros(len(rows))
        first[0] = 1.0
        off.append(float(left_out.solve(alpha[rows])[0]))
        variances.append(float(left_out.solve(first)[0]))
    return np.array(off), np.array(variances)


def _factorised(C: FloatArray, noise: FloatArray) -> Factorisation:
    K = C.copy()
    K.flat[:: len(K) + 1] += noise
    return cholesky(K)
