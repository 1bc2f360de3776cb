"""What a covariance function is, on embedded inputs.

Inputs are embedded by `Domain.embed`: E columns, of which those of one parameter belong together
(`Domain.embedded_parameter`).

Notation: A (n, E) and B (m, E) inputs, W weights.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray

LARGEST_ROW_BY_ROW = 128
"""Batches up to this size are learned row by row, so that the bits do not tell how results arrived."""


class Covariance(Protocol):
    """What an exact GP asks of a covariance function: one `Kernel`, or what is made of one or several."""

    def matrix(self, A: FloatArray, B: FloatArray | None = None) -> FloatArray:
        """(n, m) covariances; B is A when it is left out. With `LARGEST_ROW_BY_ROW` inputs B or fewer, each
        comes from its own pair alone.
        """
        ...

    def diagonal(self, A: FloatArray) -> FloatArray:
        """(n,) variances."""
        ...

    def diagonal_gradient(self, A: FloatArray) -> FloatArray:
        """(n, E) gradients of `diagonal` at A."""
        ...

    def cross(self, A: FloatArray, B: FloatArray) -> CrossCovariance:
        """Covariances together with their gradients."""
        ...


class CrossCovariance(Protocol):
    """The covariances of A with B and their gradients at A, which share distances and exponentials."""

    @property
    def values(self) -> FloatArray:
        """(n, m) covariances."""
        ...

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        """(..., n, E): row i is sum_j W_ij d k(A_i, B_j) / d A_i, for one (n, m) W or a stack of them."""
        ...


class Stationary:
    """What every `Covariance` of differences of inputs has: one variance everywhere."""

    __slots__ = ()

    @property
    def variance(self) -> float:
        """The prior variance of the whole function."""
        raise NotImplementedError

    def diagonal(self, A: FloatArray) -> FloatArray:
        """(n,) variances, all equal."""
        return np.full(len(A), self.variance)

    def diagonal_gradient(self, A: FloatArray) -> FloatArray:
        """(n, E) zeros."""
        return np.zeros(A.shape)


def parameter_columns(embedded_parameter: IndexArray, dimension: int) -> tuple[IndexArray, ...]:
    """D index arrays: the embedded columns of each parameter, of (E,) `Domain.embedded_parameter`."""
    return tuple(np.flatnonzero(embedded_parameter == p) for p in range(dimension))
