"""GP-EI: expected improvement of one Gaussian process (Jones et al. 1998), by its logarithm."""

from __future__ import annotations

from typing import ClassVar

from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.options import KernelOptions
from orchestrator.algorithms.model_with_gain import ModelWithGain
from orchestrator.surrogates.posteriors.exact import ExactGP


class GpEiOptions(KernelOptions):
    """Options of ``gp-ei``: those of `KernelOptions`."""

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    chooses_rows: ClassVar[bool] = True


class GpEi(ModelWithGain):
    """x = argmax log E max(f(x) - best, 0).

    Source: Jones, Schonlau & Welch 1998, Eq. 15; the logarithm after Ament et al. 2023.

    Deviations: the best is the highest posterior mean among the ten best points told and those that run: the
    best value, where there is no noise and nothing runs. It is to be exceeded by 1e-5 of the values'
    deviation, so that the search does not stay for the last digits of a top that it has found. What runs is
    believed to come out as predicted. The kernel is a Matern one (``kernel`` for others); hyperparameters are
    maximum a posteriori, length-scale priors growing with the dimension (Hvarfner et al. 2024). The start
    design is a Sobol sequence. Values with a heavy tail are warped where that has more evidence; the
    improvement is then that of the warped value. A failed evaluation counts as an average result. A point is
    not suggested twice.
    """

    name: ClassVar[str] = "gp-ei"
    Options: ClassVar[type[Options]] = GpEiOptions

    def __init__(self, problem: Problem, options: GpEiOptions) -> None:
        super().__init__(problem, options, Likeliest((options.template,)))

    def _acquisition(self, posterior: ExactGP, turn: Turn) -> LogExpectedImprovement:
        return self._improvement(posterior, turn)
