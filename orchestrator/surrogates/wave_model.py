"""The hyperparameters of waves upon a trend with detail, and its covariances as a function of them.

Notation: that of `trend_model`; f the waves' frequency and v their variance, which theta has behind those of
the surface; C parameters with waves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from orchestrator.surrogates.hyperparameters import LogNormal
from orchestrator.surrogates.kernel_evidence import PairCovariances
from orchestrator.surrogates.kernels import KernelFamily
from orchestrator.surrogates.trend_model import TrendHyperparameters, TrendModel
from orchestrator.surrogates.wave_kernel import WaveKernel, wave_columns

FloatArray = NDArray[np.float64]

# In cycles across a parameter's range, and of standardised values.
FREQUENCY = LogNormal(6.0, 1.0)
WAVE_VARIANCE = LogNormal(0.3, 1.5)


@dataclass(frozen=True, slots=True)
class WaveHyperparameters:
    """Those of the surface under the waves; the waves' frequency, in cycles across a parameter's range, and
    their variance.
    """

    surface: TrendHyperparameters
    frequency: float
    wave_variance: float

    @property
    def length_scales(self) -> tuple[float, ...]:
        """(D,) of the surface's detail."""
        return self.surface.length_scales

    @property
    def noise_variance(self) -> float:
        """Shared by all values, standardised."""
        return self.surface.noise_variance

    def kernel(self, family: KernelFamily, embedded_parameter: NDArray[np.intp]) -> WaveKernel:
        """The kernel on embedded inputs; ``family`` is the detail's."""
        surface = self.surface.kernel(family, embedded_parameter)
        return WaveKernel(surface, wave_columns(embedded_parameter), self.frequency, self.wave_variance)

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "surface": self.surface.to_json(),
            "frequency": self.frequency,
            "wave_variance": self.wave_variance,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> WaveHyperparameters:
        """What `to_json` wrote."""
        surface = TrendHyperparameters.from_json(payload["surface"])
        return cls(surface, float(payload["frequency"]), float(payload["wave_variance"]))


@dataclass(frozen=True, eq=False)
class WaveModel:
    """A `PairModel`. ``waving`` (C,) are the parameters with waves, ``starts`` where a search begins: a
    frequency is not found by climbing from afar.
    """

    surface: TrendModel
    waving: NDArray[np.intp]
    starts: Sequence[WaveHyperparameters]

    @property
    def beliefs(self) -> tuple[LogNormal, ...]:
        """(k,) what is believed of each free hyperparameter."""
        surface, at = self.surface.beliefs, self._own
        return (*surface[:at], FREQUENCY, WAVE_VARIANCE, *surface[at:])

    @property
    def cold_starts(self) -> list[FloatArray]:
        """See `PairModel`."""
        return [self.theta(start) for start in self.starts]

    def hyperparameters(self, theta: FloatArray) -> WaveHyperparameters:
        """See `PairModel`."""
        surface, frequency, variance = self._parts(theta)
        return WaveHyperparameters(self.surface.hyperparameters(surface), frequency, variance)

    def theta(self, values: WaveHyperparameters) -> FloatArray:
        """See `PairModel`."""
        own = np.log([values.frequency, values.wave_variance])
        return np.insert(self.surface.theta(values.surface), [self._own, self._own], own)

    def covariances(self, theta: FloatArray) -> PairCovariances:
        """See `PairModel`."""
        below, frequency, variance = self._parts(theta)
        surface = self.surface.covariances(below)
        angles = frequency * self._angles
        waves = variance * np.cos(angles).mean(axis=0)
        by_frequency = -variance * np.einsum("cp,cp->p", np.sin(angles), angles) / len(angles)
        at = [self._own, self._own]
        return PairCovariances(
            surface.pairs + waves,
            surface.variance + variance,
            surface.noise,
            np.insert(surface.slopes, at, [by_frequency, waves], axis=0),
            np.insert(surface.variance_slopes, at, [0.0, variance]),
            np.insert(surface.noise_slopes, at, 0.0),
        )

    @cached_property
    def _angles(self) -> FloatArray:
        """(C, P) how far two points are apart, as an angle at one cycle across the range."""
        return np.asarray(2.0 * math.pi * np.sqrt(self.surface.squared[self.waving]))

    @property
    def _own(self) -> int:
        """Where in theta the waves' own are: behind the surface's, before the noise."""
        inferred = self.surface.noise_variance is None
        return len(self.surface.beliefs) - (1 if inferred else 0)

    def _parts(self, theta: FloatArray) -> tuple[FloatArray, float, float]:
        at = self._own
        frequency, variance = np.exp(theta[at : at + 2])
        return np.delete(theta, [at, at + 1]), float(frequency), float(variance)
