"""Hyperparameters of a kernel, and what of them is to be fitted.

Values, no algorithm: fits find them. Outputs are standardised, inputs lie in the unit cube.

Notation: D parameters, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.arrays import IndexArray
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.covariances.kernels import Kernel

LEAST_POSITIVE = 1e-300
"""What stands for 0, as of a noise variance, where a search that goes on from it asks for its logarithm."""


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """(D,) length-scales, the kernel's variance, and the noise variance that all observations share."""

    length_scales: tuple[float, ...]
    variance: float
    noise_variance: float

    def kernel(self, family: KernelFamily, embedded_parameter: IndexArray) -> Kernel:
        """The kernel on embedded inputs; ``embedded_parameter`` (E,) as of `Data`."""
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
