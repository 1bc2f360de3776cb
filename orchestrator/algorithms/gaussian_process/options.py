"""Options that the algorithms with exact Gaussian processes share."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from orchestrator.algorithms.base import Options, Problem

if TYPE_CHECKING:
    from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate

FamilyName = Literal["rbf", "matern-1/2", "matern-3/2", "matern-5/2"]
"""Of `kernel_dictionary.FAMILIES`: the shape of a kernel, whatever its length-scales."""
KernelName = Literal[
    "rbf",
    "rbf-ard",
    "matern-1/2",
    "matern-1/2-ard",
    "matern-3/2",
    "matern-3/2-ard",
    "matern-5/2",
    "matern-5/2-ard",
]

FEW_PARAMETERS = 10
SHARE_BETWEEN_REFITS = 20


class DesignOptions(Options):
    """``start_points``: the start design, unless the problem says how many; 10 for up to 10 parameters and 20
    for more, if left out.
    """

    counts_designed: ClassVar[bool] = True
    start_points: int | None = Field(None, ge=1)

    def designed(self, problem: Problem) -> int:
        """How many points come from the start design."""
        if problem.start_points is not None:
            return problem.start_points
        if self.start_points is not None:
            return self.start_points
        return 10 if problem.domain.dimension <= FEW_PARAMETERS else 20


class GpOptions(DesignOptions):
    """``refit_every``: results told between refits of the hyperparameters; a twentieth of those told, if left
    out, which is every one up to 40. And those of `DesignOptions`.
    """

    refit_every: int | None = Field(None, ge=1)

    def wait(self, observations: int) -> int:
        """How many results to wait for after a refit from so many."""
        if self.refit_every is not None:
            return self.refit_every
        return max(1, observations // SHARE_BETWEEN_REFITS)


class KernelOptions(GpOptions):
    """``kernel``: with ``-ard`` it has a length-scale for each parameter, without, one for all. And those of
    `GpOptions`.
    """

    kernel: KernelName = "matern-5/2-ard"

    @property
    def template(self) -> KernelTemplate:
        """The kernel to be fitted."""
        # Not above: who only reads options need not load kernels.
        from orchestrator.algorithms.gaussian_process.kernel_dictionary import templates

        return templates((self.kernel,))[0]
