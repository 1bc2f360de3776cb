"""What models of pairs have in common: length-scales, one for all parameters or one each, and the noise.

Notation: P pairs of points, D parameters, S (D, P) squared differences, theta (k,) the logarithms of what is
free: the length-scales first, then what is a model's own, and the noise variance last where it is inferred.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import LEAST_POSITIVE


@dataclass(frozen=True, eq=False)
class ScaledPairs:
    """``squared`` is S; ``shared`` ties the length-scales to one; ``noise_variance`` holds the noise where it
    is known, and None infers it.
    """

    squared: FloatArray
    family: KernelFamily
    shared: bool
    noise_variance: float | None = None

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.squared)

    @property
    def free_scales(self) -> int:
        """How many length-scales are free."""
        return 1 if self.shared else self.dimension

    def believed(self, prior: Prior, own: Sequence[LogNormal]) -> tuple[LogNormal, ...]:
        """(k,) beliefs: ``own`` are those in what is the model's own."""
        free = (*[prior.length_scale] * self.free_scales, *own)
        return (*free, prior.noise_variance) if self.noise_variance is None else free

    def start(
        self, beliefs: Sequence[LogNormal], scale: float = 1.0, own: Sequence[float] = ()
    ) -> FloatArray:
        """(k,) theta, from where to search: the medians of ``beliefs``, those of the length-scales times
        ``scale``, and the first of what is the model's ``own`` times these.
        """
        start = np.log([belief.median for belief in beliefs])
        start[: self.free_scales] += math.log(scale)
        start[self.free_scales : self.free_scales + len(own)] += [math.log(multiple) for multiple in own]
        return start

    def laid_out(self, length_scales: Sequence[float], own: Sequence[float], noise: float) -> FloatArray:
        """(k,) theta: the free logarithms nearest to these values."""
        scales = np.log(length_scales)
        parts = [[scales.mean()] if self.shared else scales, np.log(own)]
        if self.noise_variance is None:
            parts.append(np.log([max(noise, LEAST_POSITIVE)]))
        return np.concatenate(parts)

    def natural(self, theta: FloatArray) -> tuple[FloatArray, FloatArray, float]:
        """(D,) length-scales, what is the model's own, and the noise variance."""
        own = theta[self.free_scales :]
        lengths = np.broadcast_to(np.exp(theta[: self.free_scales]), self.dimension)
        if self.noise_variance is not None:
            return lengths, np.exp(own), self.noise_variance
        return lengths, np.exp(own[:-1]), math.exp(own[-1])

    def write_scale_slopes(self, place: FloatArray, weights: FloatArray, along: FloatArray) -> None:
        """Into ``place`` (free_scales, P): derivatives by the logarithms of the length-scales of covariances
        whose derivatives by the squared scaled distances are ``along`` (P,). ``weights`` are scales^-2.
        """
        if self.shared:
            np.multiply(weights @ self.squared, -2.0 * along, out=place[0])
            return
        # In place: another array of this size would be written to memory and read back.
        np.multiply(weights[:, None], self.squared, out=place)
        place *= -2.0 * along

    def noise_slopes(self, theta: FloatArray) -> FloatArray:
        """(k,) derivatives of the noise variance."""
        slopes = np.zeros(len(theta))
        if self.noise_variance is None:
            slopes[-1] = math.exp(theta[-1])
        return slopes
