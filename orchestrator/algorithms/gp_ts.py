"""GP-TS: Thompson sampling from one Gaussian process (the baseline of Lu, Polyzos, Li & Giannakis 2022)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.options import KernelOptions
from orchestrator.algorithms.gaussian_process.thompson_sampling import ThompsonSampling
from orchestrator.algorithms.model_with_gain import ModelWithGain
from orchestrator.surrogates.draws.pathwise import FEATURES


class GpTsOptions(KernelOptions):
    """Options of ``gp-ts``, and those of `KernelOptions`. ``features``: frequencies of the prior's draw."""

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    chooses_rows: ClassVar[bool] = True
    features: int = Field(FEATURES, ge=1, le=10_000)


class GpTs(ThompsonSampling, ModelWithGain):
    """x = argmax of a function drawn from the posterior, a new one for each point.

    Source: Lu et al. 2022, section 6 and App. E (GP-TS with a preselected kernel).

    Deviations: the draw's prior is in random features, but the data are met exactly (`pathwise`), where the
    paper's baselines see them through 100 features, too few for sharp peaks (``egp-ts`` with one kernel is
    that). Hyperparameters are maximum a posteriori. The start design is a Sobol sequence. Values with a heavy
    tail are warped where that has more evidence. A failed evaluation counts as an average result. A point is
    not suggested twice.
    """

    name: ClassVar[str] = "gp-ts"
    Options: ClassVar[type[Options]] = GpTsOptions

    def __init__(self, problem: Problem, options: GpTsOptions) -> None:
        super().__init__(problem, options, Likeliest((options.template,)), options.features)
