"""A posterior at some points: moments there and covariances with others, from prior covariances with what was
told that are computed once for all of these.

Notation: p points, q others, n observations, E embedded columns; K and L as in `exact`, R and phi as in
`random_features`, with n features.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import solve_triangular

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.moments import above_rounding
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

ENTRIES = 4096
"""Of prior covariances that are computed at a time, of which those between groups are not needed."""


@dataclass(frozen=True, eq=False)
class AtPoints(ABC):
    """At (p, E) points ``X``, of a posterior that stays as it was when this was made for as long as it is
    asked.
    """

    X: FloatArray

    @property
    @abstractmethod
    def means(self) -> FloatArray:
        """(p,) posterior means."""

    @property
    @abstractmethod
    def variances(self) -> FloatArray:
        """(p,) posterior variances of the function, without noise."""

    @abstractmethod
    def covariances(self, others: AtPoints, groups: int = 1) -> FloatArray:
        """(groups, p / groups, q / groups) posterior covariances with (q, E) ``others`` of the same
        posterior: of each of so many groups, which follow one another, with that group of the others.
        O(n^2 p) the first time, whatever q is.
        """

    def _products(self, others: AtPoints, groups: int) -> FloatArray:
        """(groups, p / groups, q / groups) the part of covariances that was told."""
        left, right = (self._half, self._half) if others is self else (self._solved, others._told)
        n = len(left)
        of_left = left.reshape(n, groups, len(self.X) // groups).transpose(1, 2, 0)
        return np.asarray(of_left @ right.reshape(n, groups, len(others.X) // groups).transpose(1, 0, 2))

    @property
    @abstractmethod
    def _told(self) -> FloatArray:
        """(n, p) prior covariances with what was told, k(inputs, X), or phi(X)'."""

    @property
    @abstractmethod
    def _half(self) -> FloatArray:
        """(n, p) L^-1 k, or R'^-1 phi'."""

    @property
    @abstractmethod
    def _solved(self) -> FloatArray:
        """(n, p) K^-1 k, or R^-1 R'^-1 phi'."""


def at_points(posterior: ExactGP | RandomFeatureModel, X: FloatArray) -> AtPoints:
    """Of a posterior at (p, E) points."""
    return _InFeatures(X, posterior) if isinstance(posterior, RandomFeatureModel) else _Exact(X, posterior)


@dataclass(frozen=True, eq=False)
class _Exact(AtPoints):
    posterior: ExactGP

    @property
    def means(self) -> FloatArray:
        return np.asarray(self.posterior.alpha @ self._told)

    @property
    def variances(self) -> FloatArray:
        prior = self.posterior.covariance.diagonal(self.X)
        return above_rounding(prior - np.einsum("np,np->p", self._half, self._half), prior)

    def covariances(self, others: AtPoints, groups: int = 1) -> FloatArray:
        products = self._products(others, groups)
        _, a, b = products.shape
        together = max(1, math.isqrt(ENTRIES // (a * b)))
        covariance = np.empty_like(products)
        for start in range(0, groups, together):
            stop = min(start + together, groups)
            A, B = self.X[start * a : stop * a], others.X[start * b : stop * b]
            own = np.arange(stop - start)
            prior = self.posterior.covariance.matrix(A, B).reshape(len(own), a, len(own), b)
            covariance[start:stop] = prior[own, :, own]
        covariance -= products
        return covariance

    @cached_property
    def _told(self) -> FloatArray:
        inputs = self.posterior.inputs if len(self.posterior) else self.X[:0]
        return self.posterior.covariance.matrix(inputs, self.X)

    @cached_property
    def _half(self) -> FloatArray:
        return self.posterior.half_solve(self._told)

    @cached_property
    def _solved(self) -> FloatArray:
        return self.posterior.half_solve_transposed(self._half)


@dataclass(frozen=True, eq=False)
class _InFeatures(AtPoints):
    posterior: RandomFeatureModel

    @property
    def means(self) -> FloatArray:
        return np.asarray(self.posterior.mean_weights @ self._told)

    @property
    def variances(self) -> FloatArray:
        return above_rounding(np.einsum("np,np->p", self._half, self._half), self.posterior.variance)

    def covariances(self, others: AtPoints, groups: int = 1) -> FloatArray:
        return self._products(others, groups)

    @cached_property
    def _told(self) -> FloatArray:
        return np.asarray(self.posterior.features.values(self.X).T)

    @cached_property
    def _half(self) -> FloatArray:
        return np.asarray(solve_triangular(self.posterior.triangle[:-1, :-1], self._told, trans="T"))

    @cached_property
    def _solved(self) -> FloatArray:
        return np.asarray(solve_triangular(self.posterior.triangle[:-1, :-1], self._half))
