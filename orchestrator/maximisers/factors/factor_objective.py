"""Functions that are sums over the factors of a graph, and what one factor alone must be able to say.

One shape serves the acquisitions of the papers. Each factor i tells a *plain* part a_i and a *shared* part
v_i >= 0 of its own coordinates; the whole is

    phi(x) = sum_i a_i(x_Vi) + sum_i w_i sqrt(sum_(k in M_i) v_k(x_Vk)).

- M_i = N_i, a_i the factor's posterior mean, v_i its variance over |N_i|^2, w_i = sqrt(beta): the bound of
  Eq. 8 of Bardou et al. 2024 (``coupled``).
- M_i = {i}: the sum of factor UCBs, Eq. 2 of Hoang et al. 2018.
- w_i = 0: any other sum, such as one Thompson sample of each factor.

The bound of Eq. 6, B(x) = sum_i sqrt(s_i) with s_i = sum over k in N_i of v_k, lies between
sqrt(sum_i sigma_i^2) and sum_i sigma_i on any graph (Theorem 3.5), and both sides are triangle inequalities:
with the vectors u_i = (sqrt(v_k) for k in N_i, else 0), B = sum_i |u_i|, the left side is |sum_i u_i| because
k lies in |N_k| of the sets N_i, and the right side is the sum of all their entries. (The paper compares
derivatives instead, App. D.)

Deviations: beta may differ between factors (0.2 d log 2t with d the factor's own size), where Eq. 8 has one
for all. The paper takes sum_i sigma_i^2 for the variance of the sum, which it is when factors are
independent (beforehand, and with decomposed outputs). When only their sum is seen the factors are correlated,
as a rule negatively, and then the variance of the sum is less: the bound is a bound still, and a looser one.

Notation: D parameters, F factors, V_i the parameters of factor i, N_i the factors that share one with it,
n points, d = |V_i|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph

SMALLEST_SUM = 1e-18
"""Sums of shared parts are held above this under a root, whose slope at zero is infinite."""


class Parts(NamedTuple):
    """(n,) plain and (n,) shared parts of one factor at n points."""

    plain: FloatArray
    shared: FloatArray


class PartsAndGradients(NamedTuple):
    """`Parts` with their (n, d) gradients in the factor's own coordinates."""

    plain: FloatArray
    plain_gradient: FloatArray
    shared: FloatArray
    shared_gradient: FloatArray


class LocalObjective(Protocol):
    """One factor's function of its own d coordinates, each in [0, 1]. A node holds this and nothing else."""

    @property
    def weight(self) -> float:
        """w_i >= 0; 0 where the shared part plays no role."""
        ...

    def parts(self, X: FloatArray) -> Parts:
        """At (n, d) points. Finite, and the shared part never negative."""
        ...

    def parts_and_gradients(self, X: FloatArray) -> PartsAndGradients:
        """At (n, d) points. The gradient in a categorical coordinate is zero."""
        ...


def root(total: FloatArray) -> FloatArray:
    """sqrt of sums of shared parts, of any shape."""
    return np.sqrt(np.maximum(total, SMALLEST_SUM))


def root_slope(total: FloatArray) -> FloatArray:
    """d sqrt(s) / ds of sums of shared parts, of any shape."""
    slope: FloatArray = 0.5 / root(total)
    return slope


def alone(weight: float | FloatArray, plain: FloatArray, shared: FloatArray) -> FloatArray:
    """a_i + w_i sqrt(v_i): what a factor's own function would be if no other had a part in its root; of any
    shape, as its parts are.
    """
    values: FloatArray = plain + weight * root(shared)
    return values


def combine(
    graph: FactorGraph, coupled: bool, weights: FloatArray, plain: FloatArray, shared: FloatArray
) -> FloatArray:
    """(n,) values of phi from (F,) weights and the (F, n) parts of all factors."""
    total = graph.adjacency @ shared if coupled else shared
    values: FloatArray = plain.sum(axis=0) + weights @ root(total)
    return values


def combine_with_gradients(
    graph: FactorGraph, coupled: bool, weights: FloatArray, parts: Sequence[PartsAndGradients]
) -> tuple[FloatArray, FloatArray]:
    """(n,) values of phi and its (n, D) gradient from (F,) weights and the parts of all factors."""
    plain = np.array([part.plain for part in parts])
    shared = np.array([part.shared for part in parts])
    total = graph.adjacency @ shared if coupled else shared
    price = weights[:, None] * root_slope(total)
    if coupled:
        price = graph.adjacency.T @ price
    gradient = np.zeros((plain.shape[1], graph.dimension))
    for part, v, worth in zip(parts, graph.indices, price, strict=True):
        gradient[:, v] += part.plain_gradient + worth[:, None] * part.shared_gradient
    values: FloatArray = plain.sum(axis=0) + weights @ root(total)
    return values, gradient


@dataclass(frozen=True)
class FactoredObjective:
    """phi as one function of whole points, for whoever holds all factors (it keeps `Objective`).

    ``coupled`` says whether roots run over N_i (true) or over the factor alone.
    """

    graph: FactorGraph
    factors: Sequence[LocalObjective]
    coupled: bool = False

    def __post_init__(self) -> None:
        if len(self.factors) != self.graph.size:
            raise ValueError(
                f"expected one local objective for each of the {self.graph.size} factors of the graph, "
                f"got {len(self.factors)}"
            )

    @cached_property
    def weights(self) -> FloatArray:
        """(F,) w_i."""
        return np.array([factor.weight for factor in self.factors], dtype=float)

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) phi at (n, D) points."""
        parts = [f.parts(X[:, v]) for f, v in zip(self.factors, self.graph.indices, strict=True)]
        plain, shared = (np.array(column) for column in zip(*parts, strict=True))
        return combine(self.graph, self.coupled, self.weights, plain, shared)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) phi and its (n, D) gradient at (n, D) points."""
        parts = [
            f.parts_and_gradients(X[:, v]) for f, v in zip(self.factors, self.graph.indices, strict=True)
        ]
        return combine_with_gradients(self.graph, self.coupled, self.weights, parts)
