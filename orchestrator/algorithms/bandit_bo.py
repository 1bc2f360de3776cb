"""BanditBO as an ensemble of kernels: Thompson sampling over arms and points at once (Nguyen et al. 2020)."""

from __future__ import annotations

from typing import ClassVar

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.reason import reason
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Options, Problem, Suggestion
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.kernel_bandit import KernelBanditOptions
from orchestrator.algorithms.gaussian_process.kernel_dictionary import templates
from orchestrator.algorithms.gaussian_process.thompson_sampling import ThompsonSampling


class BanditBo(ThompsonSampling):
    """From every arm's process a function is drawn and maximised; the arm whose maximum is highest is played.

    Source: Nguyen et al. 2020, Algorithm 1, adapted as in Lu et al. 2022, section 6: an arm is a kernel.

    Deviations: in the original an arm is a category with results of its own; here all arms learn from every
    result, as they model the same function. The rest as in ``gp-ts``.
    """

    name: ClassVar[str] = "bandit-bo"
    Options: ClassVar[type[Options]] = KernelBanditOptions

    def __init__(self, problem: Problem, options: KernelBanditOptions) -> None:
        super().__init__(problem, options, Likeliest(templates(options.kernels)), options.features)

    def _choose(self, turn: Turn) -> Suggestion:
        domain = turn.domain
        best = None
        for m, posterior in enumerate(self._belief.fitted.posteriors):
            sample = self._acquisition(posterior, turn)
            point = self._search(Embedded(domain, sample), turn)
            if point is None:
                continue
            at = domain.embed(point)
            reward = float(sample.values(at)[0])
            if best is None or reward > best[0]:
                best = (reward, point, m, reason(sample, at))
        if best is None:
            return at_random(domain, turn.exclusion, turn.rng)
        _, point, m, why = best
        return self._explained(point, m, why)
