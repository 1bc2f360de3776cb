"""Hyperparameters of a kernel, what is believed of them beforehand, and what is to be fitted.

Values, no algorithm: `fit.py` finds them. Outputs are standardised, inputs lie in the unit cube.

Notation: D parameters, E embedded columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.kernels import Kernel, KernelFamily

LEAST_POSITIVE = 1e-300
"""What stands for 0, as of a noise variance, where a search that goes on from it asks for its logarithm."""


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """(D,) length-scales, the kernel's variance, and the noise variance that all observations share."""

    length_scales: tuple[float, ...]
    variance: float
    noise_variance: float

    def kernel(self, family: KernelFamily, embedded_parameter: IndexArray) -> Kernel:
        """The kernel on embedded inputs; ``embedded_parameter`` (E,) is `Domain.embedded_parameter`."""
        return Kernel(family, np.array(self.length_scales)[embedded_parameter], self.variance)

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "length_scales": list(self.length_scales),
            "variance": self.variance,
            "noise_variance": self.noise_variance,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Hyperparameters:
        """What `to_json` wrote."""
        return cls(
            tuple(float(scale) for scale in payload["length_scales"]),
            float(payload["variance"]),
            float(payload["noise_variance"]),
        )


@dataclass(frozen=True, slots=True)
class WithDetail:
    """What the hyperparameters of any shape with ``detail`` upon it have of the detail."""

    detail: Hyperparameters

    @property
    def length_scales(self) -> tuple[float, ...]:
        """(D,) how far a parameter may go before the function is another one."""
        return self.detail.length_scales

    @property
    def noise_variance(self) -> float:
        """Shared by all values, standardised."""
        return self.detail.noise_variance


@dataclass(frozen=True, slots=True)
class LogNormal:
    """A positive number whose logarithm is normal: ``median`` > 0, ``deviation`` > 0 of the logarithm.

    Densities are with respect to the logarithm, in which hyperparameters are fitted: the mode is the median.
    """

    median: float
    deviation: float

    def log_density(self, logarithm: FloatArray) -> FloatArray:
        """Log density at each logarithm."""
        z = (logarithm - math.log(self.median)) / self.deviation
        return -0.5 * z * z - math.log(self.deviation * math.sqrt(2.0 * math.pi))

    def log_density_slope(self, logarithm: FloatArray) -> FloatArray:
        """Derivative of `log_density`."""
        return (math.log(self.median) - logarithm) / self.deviation**2


@dataclass(frozen=True, eq=False, slots=True)
class LogNormals:
    """Independent `LogNormal` beliefs in k numbers, as fits see them: (k,) ``medians`` and ``deviations``
    of theta, their logarithms.
    """

    medians: FloatArray
    deviations: FloatArray

    @classmethod
    def of(cls, beliefs: Sequence[LogNormal]) -> LogNormals:
        """In their order."""
        medians = np.log([belief.median for belief in beliefs])
        return cls(medians, np.array([belief.deviation for belief in beliefs]))

    def within(self, reach: float) -> FloatArray:
        """(k, 2) bounds of theta, so many deviations either side of the medians."""
        apart = reach * self.deviations
        return np.stack([self.medians - apart, self.medians + apart], axis=1)

    def scores(self, theta: FloatArray) -> FloatArray:
        """(k,) how many deviations theta is above the medians."""
        return np.asarray((theta - self.medians) / self.deviations)


@dataclass(frozen=True, slots=True)
class Prior:
    """Independent beliefs in each length-scale, the variance and the noise variance."""

    length_scale: LogNormal
    variance: LogNormal = LogNormal(1.0, 1.5)
    noise_variance: LogNormal = LogNormal(1e-3, 2.5)

    @classmethod
    def for_dimension(cls, dimension: int) -> Prior:
        """Length-scales that grow with the square root of the dimension, as distances in the cube do.

        Hvarfner, Hellsten & Nardi 2024: l ~ LogNormal(sqrt(2) + log(D) / 2, sqrt(3)). Their estimate is the
        mode of the density of l, exp(sqrt(2) - 3) sqrt(D); ours is of log l, so that point is our median:
        the posterior maximised is the same. Noise is believed smaller and less surely than theirs, since a
        simulator is often deterministic.
        """
        deviation = math.sqrt(3.0)
        return cls(LogNormal(math.exp(math.sqrt(2.0) - deviation**2) * math.sqrt(dimension), deviation))


@dataclass(frozen=True, slots=True)
class KernelTemplate:
    """What is to be fitted of a kernel: a member of an ensemble before it has seen data.

    ``shared``: one length-scale for all parameters, rather than one each. ``fixed_length_scale``: it is
    given, for all parameters, and only the variance and the noise are fitted.
    """

    name: str
    family: KernelFamily
    shared: bool = False
    fixed_length_scale: float | None = None

    def free_length_scales(self, dimension: int) -> int:
        """How many length-scales are to be fitted: D, 1 or 0."""
        if self.fixed_length_scale is not None:
            return 0
        return 1 if self.shared else dimension
