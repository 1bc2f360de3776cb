"""GP-UCB: the upper confidence bound of one Gaussian process (Srinivas, Krause, Kakade & Seeger 2012)."""

from __future__ import annotations

from typing import ClassVar, Literal

from orchestrator.acquisition.ucb import UpperConfidenceBound, practical_beta, theoretical_beta
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.options import KernelOptions
from orchestrator.algorithms.model_with_gain import ModelWithGain
from orchestrator.surrogates.posteriors.exact import ExactGP


class GpUcbOptions(KernelOptions):
    """Options of ``gp-ucb``, and those of `KernelOptions`.

    ``beta``: the schedule of the exploration weight, 0.2 D log 2t, or the one for which regret is bounded.
    """

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    chooses_rows: ClassVar[bool] = True
    beta: Literal["practical", "theoretical"] = "practical"


class GpUcb(ModelWithGain):
    """x = argmax mu(x) + sqrt(beta) sigma(x).

    Source: Srinivas et al. 2012, Algorithm 1; batches as GP-BUCB (Desautels, Krause & Burdick 2014).

    Deviations: hyperparameters are not given but maximum a posteriori, refitted as results come. The
    practical schedule of beta (Kandasamy et al. 2015, section 4.4), unless asked for otherwise: the
    theoretical one, by Eq. 20 of Lu et al. 2022 with its unknown constants as 1, explores for ever. The start
    design is a Sobol sequence. Values with a heavy tail are warped where that has more evidence. A failed
    evaluation counts as an average result. A point is not suggested twice.
    """

    name: ClassVar[str] = "gp-ucb"
    Options: ClassVar[type[Options]] = GpUcbOptions

    def __init__(self, problem: Problem, options: GpUcbOptions) -> None:
        super().__init__(problem, options, Likeliest((options.template,)))
        self._beta = practical_beta if options.beta == "practical" else theoretical_beta

    def _acquisition(self, posterior: ExactGP, turn: Turn) -> UpperConfidenceBound:
        beta = self._beta(self._evaluation(turn), self._problem.domain.dimension)
        return UpperConfidenceBound(posterior, beta)
