"""An exact Gaussian process with given hyperparameters, told a value in O(n^2), for good or for a while.

Notation: n observations, E embedded columns, K (n, n) the covariance of the inputs plus all noise, L its
Cholesky factor, k(x) (n,) the covariances of a point with the inputs, w = L^-1 y, alpha = L'^-1 w.
Source: Rasmussen & Williams 2006, Algorithm 2.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.growing_factor import GrowingFactor
from orchestrator.numerics.linalg import FactorisationError, cholesky, solve_lower
from orchestrator.surrogates.covariances.block_offsets import OF_NONE, between
from orchestrator.surrogates.covariances.covariance import LARGEST_ROW_BY_ROW, Covariance
from orchestrator.surrogates.posteriors.moments import PosteriorGradients, above_rounding

# Inputs, values, extra noise, blocks, factor, w and alpha. Arrays are replaced and never written to; the
# factor grows in place.
_State = tuple[
    FloatArray, FloatArray, FloatArray, IndexArray, GrowingFactor | None, FloatArray, FloatArray | None
]


class ExactGP:
    """The posterior of a function f ~ GP(0, k) seen through normal noise.

    ``noise_variance`` is shared by all observations, each of which may bring more of its own. Where K is
    not positive definite to working precision (duplicated inputs without noise) the least jitter that
    makes it so is added to its diagonal, and ``jitter`` says how much. What it predicts is f: the offset that
    values of a block share, N(0, ``offset_variance``), is no part of it.
    """

    def __init__(self, covariance: Covariance, noise_variance: float, offset_variance: float = 0.0) -> None:
        if not (math.isfinite(noise_variance) and noise_variance >= 0):
            raise ValueError(f"a noise variance must be finite and not negative; got {noise_variance}")
        self.covariance = covariance
        self.noise_variance = noise_variance
        self.offset_variance = offset_variance
        self._X: FloatArray = np.zeros((0, 0))
        self._y: FloatArray = np.zeros(0)
        self._extra_noise: FloatArray = np.zeros(0)
        self._blocks: IndexArray = np.zeros(0, dtype=np.intp)
        self._factor: GrowingFactor | None = None
        self._w: FloatArray = np.zeros(0)
        self._alpha: FloatArray | None = None

    def __len__(self) -> int:
        return len(self._y)

    @property
    def inputs(self) -> FloatArray:
        """(n, E) embedded inputs, in the order told."""
        return self._X

    @property
    def values(self) -> FloatArray:
        """(n,) values, in the order told."""
        return self._y

    @property
    def noise_variances(self) -> FloatArray:
        """(n,) noise variance of each observation, what all share included."""
        return self.noise_variance + self._extra_noise

    @property
    def jitter(self) -> float:
        """What was added to K's diagonal to factorise it; 0 if nothing."""
        return 0.0 if self._factor is None else self._factor.jitter

    @property
    def alpha(self) -> FloatArray:
        """(n,) K^-1 y: the posterior mean is k(x)' alpha."""
        if self._alpha is None:
            self._alpha = np.zeros(0) if self._factor is None else self._factor.half_solve_transposed(self._w)
        return self._alpha

    def half_solve(self, rhs: FloatArray) -> FloatArray:
        """L^-1 B, for B (n,) or (n, p): what posteriors of a part of the covariance are built from."""
        return np.array(rhs) if self._factor is None else self._factor.half_solve(rhs)

    def half_solve_transposed(self, rhs: FloatArray) -> FloatArray:
        """L'^-1 B, for B (n,) or (n, p): after `half_solve`, K^-1 B."""
        return np.array(rhs) if self._factor is None else self._factor.half_solve_transposed(rhs)

    def append(
        self,
        X: FloatArray,
        y: FloatArray,
        noise: FloatArray | None = None,
        blocks: IndexArray | None = None,
    ) -> None:
        """Learn (p, E) inputs and (p,) values, with (p,) extra noise variances, of (p,) blocks by their
        numbers, `OF_NONE` of none: O(n^2 p).

        One by one or together the posterior is the same: to the bit for batches of up to 128, which is what
        keeps a replay exact where K is nearly singular. Raises ValueError for shapes that do not match and
        values that are not finite, FactorisationError for a covariance that cannot be one.
        """
        X, y = np.atleast_2d(np.asarray(X, dtype=float)), np.atleast_1d(np.asarray(y, dtype=float))
        extra = np.zeros(len(y)) if noise is None else np.atleast_1d(np.asarray(noise, dtype=float))
        blocks = np.full(len(y), OF_NONE) if blocks is None else blocks
        if not (len(X) == len(y) == len(extra) == len(blocks)) or (
            len(self) and X.shape[1] != self._X.shape[1]
        ):
            raise ValueError(
                f"{X.shape} inputs, {y.shape} values, {extra.shape} noise variances and {blocks.shape} "
                f"blocks do not go together, or not with the {self._X.shape} inputs known"
            )
        if not (
            np.isfinite(X).all() and np.isfinite(y).all() and np.isfinite(extra).all() and (extra >= 0).all()
        ):
            raise ValueError("inputs and values must be finite, and noise variances not negative")
        before = self._state()
        try:
            if len(y) > LARGEST_ROW_BY_ROW:
                self._learn(X, y, extra, blocks)
            else:
                self._learn_each(X, y, extra, blocks)
        except FactorisationError:
            self._restore(before)
            raise

    @contextmanager
    def hallucinating(
        self,
        X: FloatArray,
        *,
        extra_noise: float = 0.0,
        without_noise: bool = False,
    ) -> Iterator[None]:
        """Within the block, (p, E) points count as observed at their posterior means; after it the state is
        what it was, to the bit.

        That leaves the mean everywhere as it is and shrinks the variance (Desautels, Krause & Burdick 2014,
        GP-BUCB); ``without_noise`` to nothing there. Else each point has ``extra_noise`` beside the noise
        variance that all observations share.
        """
        before = self._state()
        y = self.mean_and_variance(X)[0] if len(X) else np.zeros(0)
        try:
            if without_noise:
                self._learn_each(X, y, np.full(len(y), -self.noise_variance), np.full(len(y), OF_NONE))
            elif len(y):
                self.append(X, y, np.full(len(y), extra_noise))
            yield
        finally:
            self._restore(before)

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) posterior means and variances of f (without noise) at (p, E) points: O(n^2 p)."""
        prior = self.covariance.diagonal(X)
        if self._factor is None:
            return np.zeros(len(X)), prior
        return self._conditioned(self._factor, self.covariance.matrix(self._X, X), prior)

    def mean_at(self, X: FloatArray) -> FloatArray:
        """(p,) posterior means alone at (p, E) points: O(n p)."""
        if self._factor is None:
            return np.zeros(len(X))
        means: FloatArray = self.alpha @ self.covariance.matrix(self._X, X)
        return means

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The posterior and its gradients at (p, E) points: O(n^2 p)."""
        prior = self.covariance.diagonal(X)
        if self._factor is None:
            level, slopes = np.zeros(len(X)), np.zeros(X.shape)
            return PosteriorGradients(level, prior, slopes, self.covariance.diagonal_gradient(X))
        cross = self.covariance.cross(X, self._X)
        # Of several parts they are added up anew whenever they are asked for.
        values = cross.values
        half = self._factor.half_solve(values.T)
        explained = np.einsum("np,np->p", half, half)
        solved = self._factor.half_solve_transposed(half)
        alpha = np.broadcast_to(self.alpha, (len(X), len(self)))
        by_mean, by_explained = cross.weighted_gradient(np.stack([alpha, -2.0 * solved.T]))
        return PosteriorGradients(
            values @ self.alpha,
            above_rounding(prior - explained, prior),
            by_mean,
            self.covariance.diagonal_gradient(X) + by_explained,
        )

    def offsets(self, blocks: IndexArray) -> tuple[FloatArray, FloatArray]:
        """(p,) means and (p, p) covariances of the offsets of (p,) blocks, all different, by all that was
        told: O(n^2 p).
        """
        prior = self.offset_variance * np.eye(len(blocks))
        if self._factor is None:
            return np.zeros(len(blocks)), prior
        shared = between(self._blocks, blocks, self.offset_variance)
        half = self._factor.half_solve(shared)
        return self.alpha @ shared, prior - half.T @ half

    def left_out(self) -> tuple[FloatArray, FloatArray]:
        """(n,) by how much each value is above what the others say of it, and (n,) variances of that, noise
        and all: O(n^3).

        Source: Rasmussen & Williams 2006, Eqs. 5.10 to 5.12.
        """
        precision = (self.half_solve(np.eye(len(self))) ** 2).sum(axis=0)
        return self.alpha / precision, 1.0 / precision

    def drawn_noise(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, n) draws of what the values have beside f: noise, and offsets of blocks."""
        noise = np.sqrt(self.noise_variances + self.jitter) * rng.standard_normal((count, len(self)))
        if not (self._blocks != OF_NONE).any():
            return noise
        drawn = math.sqrt(self.offset_variance) * rng.standard_normal((count, int(self._blocks.max()) + 1))
        return np.asarray(noise + np.where(self._blocks == OF_NONE, 0.0, drawn[:, self._blocks]))

    def log_predictive(
        self,
        X: FloatArray,
        y: FloatArray,
        noise: FloatArray | None = None,
        blocks: IndexArray | None = None,
    ) -> FloatArray:
        """(p,) log densities of observing y at X, each on its own, before it is learned."""
        mean, variance = self.mean_and_variance(X)
        if blocks is not None:
            mean, variance = self._with_offsets(X, blocks)
        total = variance + self.noise_variance + (0.0 if noise is None else noise)
        result: FloatArray = -0.5 * ((y - mean) ** 2 / total + np.log(2.0 * math.pi * total))
        return result

    def _with_offsets(self, X: FloatArray, blocks: IndexArray) -> tuple[FloatArray, FloatArray]:
        """(p,) means and variances of values at X, of (p,) blocks, without the noise of each."""
        prior = self.covariance.diagonal(X) + np.where(blocks == OF_NONE, 0.0, self.offset_variance)
        if self._factor is None:
            return np.zeros(len(X)), prior
        cross = self.covariance.matrix(self._X, X) + between(self._blocks, blocks, self.offset_variance)
        return self._conditioned(self._factor, cross, prior)

    def _conditioned(
        self, factor: GrowingFactor, cross: FloatArray, prior: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """(p,) means and variances of what covaries with the values by (n, p) ``cross``, from (p,) ``prior``
        variances.
        """
        half = factor.half_solve(cross)
        explained = np.einsum("np,np->p", half, half)
        return self.alpha @ cross, above_rounding(prior - explained, prior)

    def _learn_each(self, X: FloatArray, y: FloatArray, extra: FloatArray, blocks: IndexArray) -> None:
        """One by one, up to `LARGEST_ROW_BY_ROW`: each covariance is that of its own pair, whatever is asked
        for beside it.
        """
        if not len(y):
            return
        known = len(self)
        among = self.covariance.matrix(np.concatenate([self._X, X]) if known else X, X)
        for row in range(len(y)):
            one = slice(row, row + 1)
            self._learn(X[one], y[one], extra[one], blocks[one], among[: known + row + 1, one])

    def _learn(
        self,
        X: FloatArray,
        y: FloatArray,
        extra: FloatArray,
        blocks: IndexArray,
        among: FloatArray | None = None,
    ) -> None:
        """``among`` (n + p, p) are the covariances of all inputs with the new ones, if they are known."""
        known = len(self)
        all_X = np.concatenate([self._X, X]) if known else X.copy()
        all_y = np.concatenate([self._y, y])
        all_extra = np.concatenate([self._extra_noise, extra])
        all_blocks = np.concatenate([self._blocks, blocks])
        if self._factor is not None and len(y) <= known and self._grow(self._factor, X, extra, blocks, among):
            # Forward substitution goes row by row: w only grows.
            rows = self._factor.lower[known:]
            rest = y - rows[:, :known] @ self._w
            self._w = np.concatenate([self._w, solve_lower(np.ascontiguousarray(rows[:, known:]), rest)])
        else:
            self._factor = self._factorise(all_X, all_extra, all_blocks)
            self._w = self._factor.half_solve(all_y)
        self._X, self._y, self._extra_noise, self._alpha = all_X, all_y, all_extra, None
        self._blocks = all_blocks

    def _grow(
        self,
        factor: GrowingFactor,
        X: FloatArray,
        extra: FloatArray,
        blocks: IndexArray,
        among: FloatArray | None,
    ) -> bool:
        if among is None:
            corner, side = self.covariance.matrix(X), self.covariance.matrix(self._X, X)
        else:
            corner, side = among[len(self) :].copy(), among[: len(self)]
        corner.flat[:: len(X) + 1] += self.noise_variance + extra
        if self.offset_variance:
            corner += between(blocks, blocks, self.offset_variance)
            side = side + between(self._blocks, blocks, self.offset_variance)
        return factor.append(side, corner)

    def _factorise(self, X: FloatArray, extra: FloatArray, blocks: IndexArray) -> GrowingFactor:
        K = self.covariance.matrix(X)
        scale = float(np.diagonal(K).mean())
        K.flat[:: len(K) + 1] += self.noise_variance + extra
        if self.offset_variance:
            K += between(blocks, blocks, self.offset_variance)
        return GrowingFactor(cholesky(K, scale=scale), scale)

    def _state(self) -> _State:
        return (self._X, self._y, self._extra_noise, self._blocks, self._factor, self._w, self._alpha)

    def _restore(self, state: _State) -> None:
        self._X, self._y, self._extra_noise, self._blocks, self._factor, self._w, self._alpha = state
        # The same factor has grown in place, unless it had to be made anew.
        if self._factor is not None:
            self._factor.drop(len(self._factor) - len(self))
