"""Which derivatives all the rest contradicts: an adjoint that was wrong once, or a gradient that did not
converge, is left out, where by its size all would be taken for noise.

Each derivative by itself, those of each result and those along each column may be wrong: then they are
anything of the size that a model expects beforehand. The likeliest choice is looked for from where all are
right: what gains most is left out, time and again. Values are right.

Notation: N rows, K their covariance with noise, P = K^-1, alpha = P y; rows b that are left out together are
off what the others foretell by P_bb^-1 alpha_b, with covariance P_bb^-1.
Source: Rasmussen & Williams 2006, Eqs. 5.10 to 5.12, by blocks; of what may be wrong, Box & Tiao 1968.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.numerics.linalg import FactorisationError, cholesky
from orchestrator.surrogates.covariances.with_derivatives import OF_A_VALUE, WithDerivatives, along
from orchestrator.surrogates.evidence.with_derivatives import DerivativeData

WRONG = 0.02
"""How often each is, beforehand."""
_ODDS = math.log(WRONG / (1.0 - WRONG))


@dataclass(frozen=True, eq=False, slots=True)
class Trust:
    """(N,) which rows are ``kept``, all values among them, and ``score``: the log probability of rows that
    are right if they are kept, and of what is kept.
    """

    kept: BoolArray
    score: float


def trust_of(kernel: WithDerivatives, data: DerivativeData, noise_variance: float, ratio: float) -> Trust:
    """O(N^3). Raises FactorisationError where the covariance cannot be factorised."""
    K = kernel.matrix(data.rows)
    K.flat[:: len(K) + 1] += data.noise_variances(kernel, noise_variance, ratio)
    factor = cholesky(K)
    precision, alpha = factor.inverse(), factor.solve(data.y)
    score = -0.5 * (float(data.y @ alpha) + factor.log_determinant + len(data.y) * math.log(2.0 * math.pi))
    if_wrong = _log_densities(data.y, kernel.diagonal(data.rows))
    derived, together = _may_be_wrong(data)
    kept = np.ones(len(data.y), dtype=bool)
    while True:
        alone = derived[kept[derived]]
        blocks = [*alone[:, None], *(rows for one in together if len(rows := one[kept[one]]) > 1)]
        foretold = [*_foretold_alone(precision, alpha, alone)]
        foretold += [_foretold_together(precision, alpha, rows) for rows in blocks[len(alone) :]]
        gains = [float(if_wrong[rows].sum()) for rows in blocks] - np.array(foretold) + _ODDS
        if not (gains > 0.0).any():
            return Trust(kept, score)
        rows, score = blocks[int(np.argmax(gains))], score + float(gains.max())
        kept[rows] = False
        down = cholesky(precision[np.ix_(rows, rows)]).solve(precision[rows])
        alpha = alpha - alpha[rows] @ down
        precision = precision - precision[rows].T @ down


def _may_be_wrong(data: DerivativeData) -> tuple[IndexArray, list[IndexArray]]:
    """The rows of derivatives, and those of them that may be wrong together."""
    column = along(data.rows)
    derived = np.flatnonzero(column != OF_A_VALUE)
    by_result = [data.results[derived] == one for one in np.unique(data.results[derived])]
    by_column = [column[derived] == one for one in np.unique(column[derived])]
    return derived, [derived[own] for own in (*by_result, *by_column)]


def _log_densities(off: FloatArray, variances: FloatArray) -> FloatArray:
    return np.asarray(-0.5 * (off**2 / variances + np.log(2.0 * math.pi * variances)))


def _foretold_alone(precision: FloatArray, alpha: FloatArray, rows: IndexArray) -> FloatArray:
    """(r,) log densities of (r,) rows, each by all others."""
    variances = 1.0 / np.maximum(precision[rows, rows], np.finfo(float).tiny)
    return _log_densities(variances * alpha[rows], variances)


def _foretold_together(precision: FloatArray, alpha: FloatArray, rows: IndexArray) -> float:
    """The log density of some rows by the others; infinite where rounding has left nothing to say of it."""
    try:
        factor, own = cholesky(precision[np.ix_(rows, rows)]), alpha[rows]
    except FactorisationError:
        return math.inf
    square = float(own @ factor.solve(own))
    return 0.5 * (factor.log_determinant - square - len(rows) * math.log(2.0 * math.pi))
