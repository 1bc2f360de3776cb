"""Functions drawn of what is believed, each at many points: how it differs from what is expected hangs
together from point to point, as far as it does.

Draws are of some of the points together, exactly, and of the others by what they have in common with these;
what is left is drawn at each by itself. So at each point they are spread as is believed there.

Notation: M hypotheses, n results, N points, P of them that draws hang together by, p of any, K draws, E
embedded columns. Source: fully independent training conditionals, Snelson & Ghahramani 2006.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.results_model import AT_ONCE, ResultsModel

PLACES = 256
ROUNDING = 1e-10
"""Of the largest eigenvalue of a covariance."""

Between: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]
"""(p, P) covariances of (p, E) inputs with (P, E) places."""


@dataclass(frozen=True, eq=False, slots=True)
class Linked:
    """What is drawn at N points is (N, r) ``links`` times r normal numbers that all have, and the (N,)
    ``rest`` times one of its own.
    """

    links: FloatArray
    rest: FloatArray

    @classmethod
    def of(cls, between: Between, X: FloatArray, variances: FloatArray) -> Linked:
        """At (N, E) inputs of (N,) variances, which hang together by the first of them."""
        places = X[:PLACES]
        covariance = between(places, places)
        squares, directions = np.linalg.eigh((covariance + covariance.T) / 2.0)
        kept = squares > ROUNDING * max(float(squares.max()), float(np.finfo(float).tiny))
        root = directions[:, kept] / np.sqrt(squares[kept])
        blocks = [between(X[at : at + AT_ONCE], places) @ root for at in range(0, len(X), AT_ONCE)]
        links = np.concatenate(blocks)
        # Of rounding it may be more than there is.
        squared = np.square(links).sum(axis=1)
        share = np.divide(variances, squared, out=np.ones(len(links)), where=squared > variances)
        links *= np.sqrt(share)[:, None]
        return cls(links, np.sqrt(np.maximum(variances - squared, 0.0)))

    def drawn(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, N) draws about 0."""
        common = rng.standard_normal((count, self.links.shape[1])) @ self.links.T
        if self.rest.any():
            common += self.rest * rng.standard_normal((count, len(self.rest)))
        return np.asarray(common)


def drawn_functions(
    model: ResultsModel, points: FloatArray, count: int, rng: np.random.Generator
) -> FloatArray:
    """(K, N) values of K functions, an even ``count``, at (N, D) points, without noise: of each hypothesis as
    many as it is likely, half of them as far above what it expects as the others are below. Where results
    are all alike, so are these: rounding would be on either side of a limit. O(n^2 N M + K N P).
    """
    seen = model.left_out().values
    if (seen == seen[0]).all():
        return np.full((count, len(points)), seen[0])
    half, weights = count // 2, model.belief.weights
    by = np.searchsorted(np.cumsum(weights) / weights.sum(), (np.arange(half) + 0.5) / half)
    values = np.empty((2, half, len(points)))
    for i, (member, X) in enumerate(model.seen(points)):
        if not (own := by == i).any():
            continue
        told = [member.posterior.mean_and_variance(X[at : at + AT_ONCE]) for at in range(0, len(X), AT_ONCE)]
        mean, variance = (np.concatenate(parts) for parts in zip(*told, strict=True))
        linked = Linked.of(member.covariances_between, X, variance + member.unresolved_variance)
        apart = linked.drawn(int(own.sum()), rng)
        values[0, own], values[1, own] = member.scale.undo(mean + apart), member.scale.undo(mean - apart)
    drawn = model.sign * values.reshape(2 * half, len(points))
    if model.stretch == 1.0:
        return drawn
    expected = model.expected(points)
    return np.asarray(expected + model.stretch * (drawn - expected))
