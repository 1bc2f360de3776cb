"""The normal distribution and the logarithm of expected improvement, to full precision in the far tails.

Notation: phi and Phi the standard normal density and distribution, h(z) = phi(z) + z Phi(z), so that the
expected improvement of a normal belief is deviation x h((mean - best) / deviation).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from orchestrator.arrays import FloatArray

_LOG_ROOT_TWO_PI = 0.5 * math.log(2.0 * math.pi)
# Below the first h is rewritten with erfcx, below the second summed as a series: each is exact to about
# 1e-13 where it takes over.
_REWRITTEN_BELOW = -1.0
_SERIES_BELOW = -25.0
_SERIES_TERMS = 9
# Below it phi / Phi is -z to all digits, and their logarithms are too large to be told from each other.
_ROUNDS_BELOW = -1e6
# So far below zero phi and h are no doubles any more.
_UNDERFLOWS = 40.0


def log_density(z: ArrayLike) -> FloatArray:
    """log phi(z), any shape."""
    z = np.asarray(z, dtype=float)
    result: FloatArray = -0.5 * z * z - _LOG_ROOT_TWO_PI
    return result


def density(z: ArrayLike) -> FloatArray:
    """phi(z), any shape."""
    result: FloatArray = np.exp(log_density(z))
    return result


def log_distribution(z: ArrayLike) -> FloatArray:
    """log Phi(z), any shape."""
    result: FloatArray = special.log_ndtr(np.asarray(z, dtype=float))
    return result


def log_distribution_and_slope(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """log Phi(z) and its derivative phi(z) / Phi(z), each of the shape of z."""
    logarithm = log_distribution(z)
    far = z < _ROUNDS_BELOW
    if not far.any():
        return logarithm, np.exp(log_density(z) - logarithm)
    ratio = np.negative(z)
    near = z[~far]
    ratio[~far] = np.exp(log_density(near) - logarithm[~far])
    return logarithm, ratio


def log_distribution_derivatives(z: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The first derivative of log Phi, minus the second, and the third, each of the shape of z."""
    ratio = log_distribution_and_slope(z)[1]
    return ratio, ratio * (z + ratio), ratio * (2.0 * ratio**2 + 3.0 * z * ratio + z * z - 1.0)


def distribution(z: ArrayLike) -> FloatArray:
    """Phi(z), any shape."""
    result: FloatArray = special.ndtr(np.asarray(z, dtype=float))
    return result


def h_below_zero(z: ArrayLike) -> FloatArray:
    """h(z) for z <= 0, any shape, to about 1e-12 of itself; 0 where it underflows. At a third of the price of
    `log_h`.
    """
    down = np.minimum(np.negative(np.asarray(z, dtype=float)), _UNDERFLOWS)
    scaled = down * math.sqrt(0.5)
    result: FloatArray = special.erfcx(scaled)
    result *= down
    result *= -0.5
    result += 1.0 / math.sqrt(2.0 * math.pi)
    scaled *= scaled
    result *= np.exp(np.negative(scaled, out=scaled), out=scaled)
    return result


def log_h(z: ArrayLike) -> FloatArray:
    """log h(z), any shape; finite for any finite z of magnitude up to 1e150. Source: Ament et al. 2023."""
    return log_h_and_slope(z)[0]


def log_h_and_slope(z: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """log h(z) and its derivative Phi(z) / h(z), each of the shape of z.

    In the tail h(z) = phi(z) g(z), Phi(z) = phi(z) R(z) with R the Mills ratio, and phi cancels from the
    derivative before it can underflow.
    """
    z = np.asarray(z, dtype=float)
    shape, z = z.shape, z.ravel()
    value = np.empty_like(z)
    slope = np.empty_like(z)

    plain = z > _REWRITTEN_BELOW
    x = z[plain]
    below = distribution(x)
    h = density(x) + x * below
    value[plain] = np.log(h)
    slope[plain] = below / h

    x = z[~plain]
    mills = math.sqrt(math.pi / 2.0) * special.erfcx(-x / math.sqrt(2.0))
    far = x < _SERIES_BELOW
    g = 1.0 + np.where(far, -1.0, x) * mills
    g[far] = _tail_series(x[far])
    value[~plain] = log_density(x) + np.log(g)
    slope[~plain] = mills / g
    return value.reshape(shape), slope.reshape(shape)


def _tail_series(z: FloatArray) -> FloatArray:
    """g(z) = 1/z^2 - 3/z^4 + 15/z^6 - ..., for z far below zero."""
    inverse = 1.0 / z**2
    total = np.zeros_like(z)
    term = inverse.copy()
    for k in range(_SERIES_TERMS):
        total += term
        term = term * -(2.0 * k + 3.0) * inverse
    return total
