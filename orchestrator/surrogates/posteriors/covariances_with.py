"""Posterior covariances of any points with some that stay: how much a value at one tells of those.

Notation: P places, which stay; p points; n observations; E embedded columns; K as in `exact`, R and phi as in
`random_features`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.linalg import solve_triangular

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.covariance import Covariance, CrossCovariance
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel


class CovariancesWith(Protocol):
    """Of one posterior with (P, E) places, as both were when it was made."""

    def matrix(self, X: FloatArray) -> FloatArray:
        """(p, P) covariances of (p, E) points with the places."""
        ...

    def cross(self, X: FloatArray) -> CrossCovariance:
        """The same together with their gradients at the points."""
        ...


def covariances_with(posterior: ExactGP | RandomFeatureModel, places: FloatArray) -> CovariancesWith:
    """Of a posterior with (P, E) places: O(n^2 P) to make, or O(D^2 P) with D frequencies."""
    if isinstance(posterior, RandomFeatureModel):
        R = posterior.triangle[:-1, :-1]
        half = solve_triangular(R, posterior.features.values(places).T, trans="T")
        return _InFeatures(posterior.features, solve_triangular(R, half))
    inputs = posterior.inputs if len(posterior) else places[:0]
    half = posterior.half_solve(posterior.covariance.matrix(inputs, places))
    return _Exact(posterior.covariance, np.vstack([inputs, places]), posterior.half_solve_transposed(half))


@dataclass(frozen=True, eq=False)
class _Exact:
    """``known`` are (n + P, E) inputs and places, ``solved`` (n, P) is K^-1 k(inputs, places)."""

    covariance: Covariance
    known: FloatArray
    solved: FloatArray

    def matrix(self, X: FloatArray) -> FloatArray:
        return _without_told(self.covariance.matrix(X, self.known), self.solved)

    def cross(self, X: FloatArray) -> CrossCovariance:
        return _ExactCross(self.covariance.cross(X, self.known), self.solved)


@dataclass(frozen=True, eq=False)
class _ExactCross:
    prior: CrossCovariance
    solved: FloatArray

    @cached_property
    def values(self) -> FloatArray:
        return _without_told(self.prior.values, self.solved)

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        return self.prior.weighted_gradient(np.concatenate([-W @ self.solved.T, W], axis=-1))


@dataclass(frozen=True, eq=False)
class _InFeatures:
    """``solved`` (2D, P) is R^-1 R'^-1 phi(places)."""

    features: FourierFeatures
    solved: FloatArray

    def matrix(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.features.values(X) @ self.solved)

    def cross(self, X: FloatArray) -> CrossCovariance:
        return _FeatureCross(self.features, self.features.values(X), self.solved)


@dataclass(frozen=True, eq=False)
class _FeatureCross:
    features: FourierFeatures
    phi: FloatArray
    solved: FloatArray

    @cached_property
    def values(self) -> FloatArray:
        return np.asarray(self.phi @ self.solved)

    def weighted_gradient(self, W: FloatArray) -> FloatArray:
        return self.features.gradients(self.phi, W @ self.solved.T)


def _without_told(prior: FloatArray, solved: FloatArray) -> FloatArray:
    """(p, P) of (p, n + P) prior covariances: less what the observations explain."""
    told = len(solved)
    return np.asarray(prior[:, told:] - prior[:, :told] @ solved)
