"""Ensembles whose members are arms of a bandit: exact Gaussian processes with different kernels."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from orchestrator.algorithms.gaussian_process.kernel_dictionary import Kernels
from orchestrator.algorithms.gaussian_process.options import GpOptions
from orchestrator.surrogates.draws.pathwise import FEATURES


class KernelBanditOptions(GpOptions):
    """``kernels``: the arms, names or ``{rbf-grid: [-4, 6]}``. ``features``: frequencies of a prior's draw.
    And those of `GpOptions`.
    """

    keeps_constraints: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    kernels: Kernels = ("rbf", "rbf-ard", "matern-3/2", "matern-5/2")
    features: int = Field(FEATURES, ge=1, le=10_000)
