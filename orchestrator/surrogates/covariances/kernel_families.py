"""Stationary correlations as functions of the squared scaled distance, and their spectra.

One family, the Matern's, by its smoothness nu; nu = infinity is the RBF (squared exponential).

Notation: s the squared distance after division by the length-scales, r = sqrt(s), z = sqrt(2 nu) r,
M_nu(z) = 2^(1-nu) / Gamma(nu) z^nu K_nu(z) the Matern correlation. Source: Rasmussen & Williams 2006,
section 4.2 and Eq. 4.16 (half-integer nu in closed form).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from orchestrator.arrays import FloatArray

LARGEST_NU = 500.0
# Below this r the slope of a rough kernel (nu <= 1) diverges; slope x s is already under 1e-7 there.
_SMALLEST_DISTANCE = 1e-7


@dataclass(frozen=True, slots=True)
class KernelFamily:
    """A shape of correlation: Matern of smoothness ``nu`` in (0, 500], or infinity for RBF.

    Raises ValueError for any other nu: from 500 on the two cannot be told apart in practice.
    """

    nu: float = math.inf

    def __post_init__(self) -> None:
        if not (0.0 < self.nu <= LARGEST_NU or self.nu == math.inf):
            raise ValueError(
                f"a Matern kernel's nu must lie in (0, {LARGEST_NU:g}]; got {self.nu}. "
                "For something smoother use the RBF kernel (nu = infinity)."
            )

    @property
    def name(self) -> str:
        """`rbf`, `matern-5/2` for half-integers, `matern-1.2` otherwise."""
        if self.nu == math.inf:
            return "rbf"
        doubled = 2 * self.nu
        return f"matern-{int(doubled)}/2" if doubled % 2 == 1 else f"matern-{self.nu:g}"

    def correlation(self, squared: FloatArray) -> FloatArray:
        """k(s), of the shape of ``squared``, a new array; 1 at s = 0."""
        return _rbf(squared) if self.nu == math.inf else _matern(self.nu, self._scaled(squared))

    def slope(self, squared: FloatArray) -> FloatArray:
        """dk/ds, of the shape of ``squared``, a new array; never positive.

        For nu <= 1 it diverges at s = 0, where it is held at its value a hair away: there the product
        with the vanishing differences that it always meets is the right one, zero.
        """
        if self.nu == math.inf:
            slope = _rbf(squared)
            slope *= -0.5
            return slope
        z = self._scaled(squared)
        if self.nu > 1.0:
            slope = _matern(self.nu - 1.0, z)
            slope *= -self.nu / (2.0 * (self.nu - 1.0))
            return slope
        z = np.maximum(z, math.sqrt(2.0 * self.nu) * _SMALLEST_DISTANCE)
        if self.nu == 0.5:
            return -np.exp(-z) / (2.0 * z)
        constant = self.nu * math.exp((1.0 - self.nu) * math.log(2.0) - math.lgamma(self.nu))
        bessel: FloatArray = special.kve(1.0 - self.nu, z)
        return -constant * np.exp((self.nu - 1.0) * np.log(z) - z) * bessel

    def correlation_and_slope(self, squared: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Both at once, at little more than the price of one: nu > 1 and RBF share their exponentials."""
        if self.nu == math.inf:
            correlation = _rbf(squared)
            return correlation, -0.5 * correlation
        if self.nu <= 1.0:
            return self.correlation(squared), self.slope(squared)
        below, here = _last_two(self.nu, self._scaled(squared))
        below *= -self.nu / (2.0 * (self.nu - 1.0))
        return here, below

    def _scaled(self, squared: FloatArray) -> FloatArray:
        """z, of the shape of ``squared``, a new array."""
        z = np.asarray(squared * (2.0 * self.nu))
        return np.sqrt(z, out=z)

    def frequencies(self, count: int, dimension: int, rng: np.random.Generator) -> FloatArray:
        """(count, dimension) angular frequencies for unit length-scales, so that k = E cos(w'(x - x')).

        Bochner: normal for RBF; for Matern a multivariate t with 2 nu degrees of freedom.
        """
        normals = rng.standard_normal((count, dimension))
        if self.nu == math.inf:
            return normals
        chi_squared = rng.chisquare(2.0 * self.nu, size=(count, 1))
        return normals * np.sqrt(2.0 * self.nu / chi_squared)


RBF = KernelFamily()
MATERN_12 = KernelFamily(0.5)
MATERN_32 = KernelFamily(1.5)
MATERN_52 = KernelFamily(2.5)


# Of matrices of thousands of rows it is new arrays that take most of the time: what is computed of one goes
# where it lay. What comes of a single number is none, and no place to write to.


def _rbf(squared: FloatArray) -> FloatArray:
    exponent = np.asarray(squared * -0.5)
    return np.exp(exponent, out=exponent)


def _decay(z: FloatArray) -> FloatArray:
    exponent = np.asarray(-z)
    return np.exp(exponent, out=exponent)


def _matern(nu: float, z: FloatArray) -> FloatArray:
    """M_nu(z) for z >= 0, a new array. ``z`` is overwritten."""
    if nu == 0.5:
        return _decay(z)
    return _first_two(nu, z)[0] if nu <= 1.0 else _last_two(nu, z)[1]


def _last_two(nu: float, z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """M_(nu-1)(z) and M_nu(z) for nu > 1, new arrays, by upward recurrence from the two orders below 2. ``z``
    is overwritten.

    M_(nu+1) = M_nu + z^2 / (4 nu (nu - 1)) M_(nu-1) is the recurrence of K_nu; all terms are positive, so
    that no digit is lost and nothing overflows, whatever nu. Half-integers need no Bessel function.
    """
    order = nu - math.ceil(nu) + 1.0
    lower, upper = _first_two(order, z)
    squared = np.multiply(z, z, out=z)
    for step in range(1, math.ceil(nu) - 1):
        order_now = order + step
        lower *= squared
        lower *= 1.0 / (4.0 * order_now * (order_now - 1.0))
        lower += upper
        lower, upper = upper, lower
    return lower, upper


def _first_two(nu: float, z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """M_nu(z) and M_(nu+1)(z) for nu in (0, 1], new arrays."""
    decay = _decay(z)
    if nu == 0.5:
        upper = np.asarray(z + 1.0)
        upper *= decay
        return decay, upper
    with np.errstate(invalid="ignore", over="ignore"):
        if nu == 1.0:
            one = z * special.k1e(z)
            return _bounded(one * decay, z), _bounded((one + 0.5 * z * z * special.k0e(z)) * decay, z)
        one, two = (
            2.0 ** (1.0 - order) / math.gamma(order) * z**order * special.kve(order, z) * decay
            for order in (nu, nu + 1.0)
        )
    return _bounded(one, z), _bounded(two, z)


def _bounded(correlation: FloatArray, z: FloatArray) -> FloatArray:
    # 0 x infinity: at coincident points, where it is 1, and beyond the reach of kve, where it is 0.
    limits = np.where(z < 1.0, 1.0, 0.0)
    bounded: FloatArray = np.where(np.isfinite(correlation), np.minimum(correlation, 1.0), limits)
    return bounded
