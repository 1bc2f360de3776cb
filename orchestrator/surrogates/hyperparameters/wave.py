"""The hyperparameters of waves upon a trend with detail, and its covariances as a function of them.

Notation: that of `trend`; n points, C columns with waves, a and b angles of two points in one of them.
theta has frequency and variance of the fast waves, then of the slow ones, behind what is the surface's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.pairs import above_diagonal
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.covariances.wave import WaveKernel, Waves, wave_columns
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal
from orchestrator.surrogates.hyperparameters.pair_model import PairCovariances
from orchestrator.surrogates.hyperparameters.trend import TrendHyperparameters, TrendModel

# In cycles across a parameter's range, and of standardised values.
FAST, SLOW = LogNormal(6.0, 1.0), LogNormal(0.4, 0.5)
VARIANCE = LogNormal(0.3, 1.5)
SLOW_AT_FIRST = Waves(SLOW.median, VARIANCE.median)
# How many numbers the waves add to theta.
OWN = 4


@dataclass(frozen=True, slots=True)
class WaveHyperparameters:
    """Those of the surface under the waves; fast waves; and slow ones, which bend the whole range."""

    surface: TrendHyperparameters
    fast: Waves
    slow: Waves = SLOW_AT_FIRST

    @property
    def length_scales(self) -> tuple[float, ...]:
        """(D,) of the surface's detail."""
        return self.surface.length_scales

    @property
    def noise_variance(self) -> float:
        """Shared by all values, standardised."""
        return self.surface.noise_variance

    def kernel(self, family: KernelFamily, embedded_parameter: IndexArray) -> WaveKernel:
        """The kernel on embedded inputs; ``family`` is the detail's."""
        surface = self.surface.kernel(family, embedded_parameter)
        return WaveKernel(surface, wave_columns(embedded_parameter), (self.fast, self.slow))

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "surface": self.surface.to_json(),
            "frequency": self.fast.frequency,
            "wave_variance": self.fast.variance,
            "slow_frequency": self.slow.frequency,
            "slow_variance": self.slow.variance,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> WaveHyperparameters:
        """What `to_json` wrote."""
        surface = TrendHyperparameters.from_json(payload["surface"])
        fast = Waves(float(payload["frequency"]), float(payload["wave_variance"]))
        return cls(surface, fast, Waves(float(payload["slow_frequency"]), float(payload["slow_variance"])))


@dataclass(frozen=True, eq=False)
class WaveModel:
    """A `PairModel`. ``along`` (n, C) are the inputs in the columns with waves, ``starts`` where a search
    begins: a frequency is not found by climbing from afar.
    """

    surface: TrendModel
    along: FloatArray
    starts: Sequence[WaveHyperparameters]

    @property
    def beliefs(self) -> tuple[LogNormal, ...]:
        """(k,) what is believed of each free hyperparameter."""
        surface, at = self.surface.beliefs, self._own
        return (*surface[:at], FAST, VARIANCE, SLOW, VARIANCE, *surface[at:])

    @property
    def cold_starts(self) -> list[FloatArray]:
        """See `PairModel`."""
        return [self.theta(start) for start in self.starts]

    def hyperparameters(self, theta: FloatArray) -> WaveHyperparameters:
        """See `PairModel`."""
        surface, own = self._parts(theta)
        fast, slow = (Waves(float(f), float(v)) for f, v in own.reshape(2, 2))
        return WaveHyperparameters(self.surface.hyperparameters(surface), fast, slow)

    def theta(self, values: WaveHyperparameters) -> FloatArray:
        """See `PairModel`."""
        own = np.log([n for waves in (values.fast, values.slow) for n in (waves.frequency, waves.variance)])
        return np.insert(self.surface.theta(values.surface), self._places, own)

    def covariances(self, theta: FloatArray) -> PairCovariances:
        """See `PairModel`."""
        below, own = self._parts(theta)
        surface = self.surface.covariances(below)
        slopes = []
        for frequency, variance in own.reshape(2, 2):
            correlations, by_frequency = self._correlations(frequency)
            slopes += [variance * by_frequency, variance * correlations]
        return PairCovariances(
            surface.pairs + slopes[1] + slopes[3],
            surface.variance + float(own[1] + own[3]),
            surface.noise,
            np.insert(surface.slopes, self._places, slopes, axis=0),
            np.insert(surface.variance_slopes, self._places, [0.0, own[1], 0.0, own[3]]),
            np.insert(surface.noise_slopes, self._places, 0.0),
        )

    def _correlations(self, frequency: float) -> tuple[FloatArray, FloatArray]:
        """(P,) means of cos(a - b) over the columns, and of -(a - b) sin(a - b), their derivatives by the
        frequency's logarithm: as products of matrices, with n C cosines rather than P C.
        """
        angles = (2.0 * math.pi * frequency) * self.along
        cosines, sines = np.cos(angles), np.sin(angles)
        alike = cosines @ cosines.T + sines @ sines.T
        turned = (angles * cosines) @ sines.T - (angles * sines) @ cosines.T
        C = angles.shape[1]
        return above_diagonal(alike) / C, above_diagonal(turned + turned.T) / C

    @property
    def _own(self) -> int:
        """Where in theta the waves' own are: behind the surface's, before the noise."""
        inferred = self.surface.noise_variance is None
        return len(self.surface.beliefs) - (1 if inferred else 0)

    @property
    def _places(self) -> list[int]:
        return [self._own] * OWN

    def _parts(self, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The surface's theta, and what is the waves' own, no longer in logarithms."""
        own = slice(self._own, self._own + OWN)
        return np.delete(theta, own), np.exp(theta[own])
