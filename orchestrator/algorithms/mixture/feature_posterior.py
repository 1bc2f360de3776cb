"""A random-feature model that learns in place, as an exact process does: for very many noisy results.

What features cannot express counts as noise. Where the values' own noise hides that, nothing is lost by them,
and a posterior can be of thousands of results at a cost that does not depend on how many there are.

Notation: E embedded columns, p points, n results.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.moments import PosteriorGradients
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

# The noise variance of what is known, as a part of the prior's.
KNOWN = 1e-4


class FeaturePosterior:
    """What `ExactGP` offers to a mixture, by features. ``model`` is the posterior now."""

    def __init__(self, model: RandomFeatureModel) -> None:
        self.model = model
        self._learned = 0

    def __len__(self) -> int:
        return self._learned

    def append(self, X: FloatArray, y: FloatArray, noise: FloatArray | None = None) -> None:
        """Learn (p, E) inputs and (p,) values, with (p,) noise variances of their own. One by one or together
        the posterior is the same to rounding.
        """
        extra = np.zeros(len(y)) if noise is None else noise
        if len(y) == 1:
            self.model, _ = self.model.condition(X[0], float(y[0]), float(extra[0]))
        else:
            self.model = self.model.condition_on_batch(X, y, extra)
        self._learned += len(y)

    @contextmanager
    def hallucinating(self, X: FloatArray, *, without_noise: bool = False) -> Iterator[None]:
        """Within the block (p, E) points count as observed at their means; ``without_noise``, as known."""
        before = self.model
        noise = before.noise_variance
        while_told = min(noise, KNOWN * before.variance) if without_noise else noise
        told = replace(before, noise_variance=while_told).hallucinated(X)
        self.model = replace(told, noise_variance=noise)
        try:
            yield
        finally:
            self.model = before

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) posterior means and variances at (p, E) inputs."""
        return self.model.mean_and_variance(X)

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with gradients."""
        return self.model.value_gradients(X)

    def mean_at(self, X: FloatArray) -> FloatArray:
        """(p,) posterior means alone: much cheaper."""
        return np.asarray(self.model.features.values(X) @ self.model.mean_weights)

    def log_predictive(self, X: FloatArray, y: FloatArray, noise: FloatArray | None = None) -> FloatArray:
        """(p,) log densities of observing y at X, each on its own, before it is learned."""
        mean, variance = self.mean_and_variance(X)
        total = variance + self.model.noise_variance + (0.0 if noise is None else noise)
        return np.asarray(-0.5 * ((y - mean) ** 2 / total + np.log(total) + math.log(2.0 * math.pi)))
