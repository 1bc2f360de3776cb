"""One factor of an additive Gaussian process, as much of it as its node needs to choose points.

Posterior of the factor from the total (Eqs. 4-5 of Bardou et al. 2024): it takes the factor's own columns of
the inputs, its own kernel, and what conditioning on the total left behind (alpha and L^-1). Where each
factor's output is observed (Eqs. 23-24), the same with a GP of its own.

Notation: n observations, e embedded columns of the factor, d its coordinates, K (n, n) the covariance of
the total plus noise, L its Cholesky factor, alpha = K^-1 y, k(x) (n,) the factor's covariances of a
point with the inputs, p points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.factors.factor_objective import LocalObjective, Parts, PartsAndGradients
from orchestrator.maximisers.factors.packed_triangle import pack_triangle, unpack_triangle
from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.covariances.kernels import Kernel, squared_between
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.surrogates.posteriors.moments import above_rounding
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False)
class GaussianFactor:
    """Description and function in one: ``plain`` is the mean, ``shared`` the variance over divisor squared.

    ``domain`` is that of the factor's d coordinates, ``inputs`` (n, e) its embedded training inputs,
    ``alpha`` (n,), ``inverse_lower`` (n, n) L^-1, ``weight`` the root of beta. ``divisor`` is |N_i| for
    DuMBO's bound (Eq. 8), 1 for a sum of UCBs; ``offset`` is added to the mean.
    """

    domain: Domain
    kernel: Kernel
    inputs: FloatArray
    alpha: FloatArray
    inverse_lower: FloatArray
    weight: float
    divisor: float = 1.0
    offset: float = 0.0

    kind: ClassVar[str] = "gaussian"

    def __post_init__(self) -> None:
        # The order in memory decides how products are summed: alike everywhere, they agree to the bit.
        for name in ("inputs", "alpha", "inverse_lower"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=float))
        n, e = self.inputs.shape
        if e != len(self.domain.embedded_parameter) or e != len(self.kernel.length_scales):
            raise ValueError(
                f"a factor's inputs, length-scales and domain must have the same embedded columns; got {e}, "
                f"{len(self.kernel.length_scales)} and {len(self.domain.embedded_parameter)}"
            )
        if self.alpha.shape != (n,) or self.inverse_lower.shape != (n, n):
            raise ValueError(
                f"a factor with {n} inputs needs alpha ({n},) and an inverse Cholesky factor ({n}, {n}); got "
                f"{self.alpha.shape} and {self.inverse_lower.shape}"
            )

    def local_objective(self) -> LocalObjective:
        """Itself."""
        return self

    def parts(self, X: FloatArray) -> Parts:
        """See `LocalObjective.parts`."""
        squared = squared_between(self.domain.embed(X) / self.kernel.length_scales, self._scaled_inputs)
        k = self.kernel.variance * self.kernel.family.correlation(squared)
        half = k @ self.inverse_lower.T
        return Parts(self.offset + k @ self.alpha, self._shared(half))

    def parts_and_gradients(self, X: FloatArray) -> PartsAndGradients:
        """See `LocalObjective.parts_and_gradients`."""
        A = self.domain.embed(X) / self.kernel.length_scales
        k, slopes = self.kernel.family.correlation_and_slope(squared_between(A, self._scaled_inputs))
        k *= self.kernel.variance
        half = k @ self.inverse_lower.T
        slopes_backward = half @ self.inverse_lower
        slopes_backward *= slopes
        steepness = 2.0 * self.kernel.variance
        plain = self._contract(A, slopes @ self._weighted_inputs, steepness)
        shared = self._contract(A, slopes_backward @ self._inputs_and_one, -2.0 * steepness / self.divisor**2)
        return PartsAndGradients(
            self.offset + k @ self.alpha,
            self._to_coordinates(plain, X),
            self._shared(half),
            self._to_coordinates(shared, X),
        )

    def to_json(self) -> dict[str, Any]:
        """See `FactorDescription.to_json`. L^-1 goes as its packed lower triangle."""
        nu = self.kernel.family.nu
        return {
            "coordinates": [coordinate.to_json() for coordinate in self.domain.coordinates],
            "nu": None if math.isinf(nu) else nu,
            "length_scales": self.kernel.length_scales.tolist(),
            "variance": self.kernel.variance,
            "inputs": self.inputs.tolist(),
            "alpha": self.alpha.tolist(),
            "inverse_lower": pack_triangle(self.inverse_lower),
            "weight": self.weight,
            "divisor": self.divisor,
            "offset": self.offset,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GaussianFactor:
        """See `FactorDescription.from_json`. Raises KeyError, TypeError or ValueError for what is not one."""
        n = len(data["alpha"])
        scales = np.array(data["length_scales"], dtype=float)
        family = KernelFamily(math.inf if data["nu"] is None else data["nu"])
        return cls(
            domain=Domain(tuple(Coordinate.from_json(told) for told in data["coordinates"])),
            kernel=Kernel(family, scales, data["variance"]),
            inputs=np.array(data["inputs"], dtype=float).reshape(n, len(scales)),
            alpha=np.array(data["alpha"], dtype=float),
            inverse_lower=unpack_triangle(data["inverse_lower"], n),
            weight=float(data["weight"]),
            divisor=float(data["divisor"]),
            offset=float(data["offset"]),
        )

    @cached_property
    def _coordinate_of_column(self) -> FloatArray:
        """(e, d) 1 where an embedded column is a coordinate itself; categorical columns belong to none."""
        owner = self.domain.embedded_parameter
        table: FloatArray = np.eye(self.domain.dimension)[owner] * ~self.domain.is_categorical[owner][:, None]
        return table

    @cached_property
    def _columns_are_coordinates(self) -> bool:
        return not (self.domain.is_categorical | self.domain.comes_round).any()

    @cached_property
    def _scaled_inputs(self) -> FloatArray:
        """(n, e) inputs over length-scales."""
        return self.inputs / self.kernel.length_scales

    @cached_property
    def _inputs_and_one(self) -> FloatArray:
        """(n, e + 1): a product with it is a contraction and a sum of rows in one."""
        return np.hstack([self._scaled_inputs, np.ones((len(self.inputs), 1))])

    @cached_property
    def _weighted_inputs(self) -> FloatArray:
        """(n, e + 1) the same with each row times its alpha."""
        return self.alpha[:, None] * self._inputs_and_one

    def _shared(self, half: FloatArray) -> FloatArray:
        prior = self.kernel.variance
        return above_rounding(prior - np.einsum("pn,pn->p", half, half), prior) / self.divisor**2

    def _contract(self, A: FloatArray, products: FloatArray, times: float) -> FloatArray:
        """(p, e): row i is ``times`` sum_j M_ij (A_i - B_j) / l, for A and B over l already and ``products``
        (p, e + 1) of M with B and with ones.
        """
        contracted: FloatArray = products[:, -1:] * A
        contracted -= products[:, :-1]
        contracted *= times / self.kernel.length_scales
        return contracted

    def _to_coordinates(self, gradient: FloatArray, X: FloatArray) -> FloatArray:
        if self._columns_are_coordinates:
            return gradient
        if self.domain.comes_round.any():
            return self.domain.along_coordinates(gradient, X)
        result: FloatArray = gradient @ self._coordinate_of_column
        return result


def gaussian_factors(
    posterior: AdditiveGP, weights: Sequence[float], coupled: bool
) -> tuple[GaussianFactor, ...]:
    """All F factors of an additive GP: with ``weights`` (F,) = sqrt(beta), the bound of Eq. 8 if ``coupled``,
    else the sum of factor UCBs.
    """
    total, covariance = posterior.total, posterior.total.covariance
    if not isinstance(covariance, AdditiveKernel):
        raise TypeError(f"expected an additive GP over an AdditiveKernel, got {type(covariance).__name__}")
    inverse_lower = total.half_solve(np.eye(len(total)))
    graph: FactorGraph = posterior.graph
    return tuple(
        GaussianFactor(
            domain=posterior.factor_domains[j],
            kernel=covariance.kernels[j],
            inputs=total.inputs[:, columns] if len(total) else np.zeros((0, len(columns))),
            alpha=total.alpha,
            inverse_lower=inverse_lower,
            weight=float(weights[j]),
            divisor=float(graph.neighbour_counts[j]) if coupled else 1.0,
        )
        for j, columns in enumerate(covariance.columns)
    )
