"""The covariance of a sum of independent functions, one a factor (Kandasamy et al. 2015, Eq. 4).

Notation: F factors, E embedded columns, A (n, E) and B (m, E) inputs, k_j the kernel of factor j, W weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.covariance import Stationary, parameter_columns
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False)
class AdditiveKernel(Stationary):
    """A `Covariance` over all embedded columns: k(a, b) = sum_j k_j(a[columns_j], b[columns_j]).

    ``columns`` are F index arrays into the E columns; ``kernels`` are F kernels on those columns.
    """

    columns: tuple[IndexArray, ...]
    kernels: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        for j, (columns, kernel) in enumerate(zip(self.columns, self.kernels, strict=True)):
            if len(columns) != len(kernel.length_scales):
                raise ValueError(
                    f"factor {j} has {len(columns)} columns and {len(kernel.length_scales)} length-scales"
                )

    @classmethod
    def over(
        cls,
        graph: FactorGraph,
        domain: Domain,
        family: KernelFamily,
        length_scales: FloatArray,
        variances: Sequence[float],
    ) -> AdditiveKernel:
        """Length-scales (D,) shared by the factors that see a parameter; one variance (F,) a factor."""
        columns = factor_columns(graph, domain)
        scales = np.asarray(length_scales)[domain.embedded_parameter]
        return cls(
            columns,
            tuple(
                Kernel(family, scales[own], float(variance))
                for own, variance in zip(columns, variances, strict=True)
            ),
        )

    @cached_property
    def variance(self) -> float:
        """The prior variance of the whole function."""
        return float(sum(kernel.variance for kernel in self.kernels))

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out."""
        total = np.zeros((len(A), len(A) if B is None else len(B)))
        for columns, kernel in zip(self.columns, self.kernels, strict=True):
            total += kernel.matrix(A[:, columns], None if B is None else B[:, columns])
        return total

    def cross(self, A: FloatArray, B: FloatArray) -> AdditiveCross:
        """(n, m) covariances together with their gradients."""
        return AdditiveCross(self, A, B)


@dataclass(frozen=True, eq=False, slots=True)
class AdditiveCross:
    """A `CrossCovariance` that computes each factor anew, as holding them all would take 2 F matrices."""

    kernel: AdditiveKernel
    A: FloatArray
    B: FloatArray

    @property
    def values(self) -> FloatArray:
        """See `CrossCovariance`."""
        return self.kernel.matrix(self.A, self.B)

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """See `CrossCovariance`."""
        gradient = np.zeros((*W.shape[:-1], self.A.shape[1]))
        for columns, kernel in zip(self.kernel.columns, self.kernel.kernels, strict=True):
            part = kernel.cross(self.A[:, columns], self.B[:, columns])
            gradient[..., columns] += part.weighted_gradient(W)
        return gradient


def factor_columns(graph: FactorGraph, domain: Domain) -> tuple[IndexArray, ...]:
    """F index arrays: the embedded columns of each factor's parameters, in the factor's own order."""
    if graph.dimension != domain.dimension:
        raise ValueError(
            f"a factor graph of {graph.dimension} parameters over a domain of {domain.dimension}"
        )
    columns_of = parameter_columns(domain.embedded_parameter, domain.dimension)
    return tuple(np.concatenate([columns_of[p] for p in factor]) for factor in graph.factors)
