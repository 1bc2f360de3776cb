"""Thompson sampling from exact processes: one member's function is drawn, and maximised."""

from __future__ import annotations

from orchestrator.acquisition.thompson import ThompsonSample
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.gaussian_process.fitters import Fitter
from orchestrator.algorithms.gaussian_process.model_based import ModelBased
from orchestrator.algorithms.gaussian_process.options import GpOptions
from orchestrator.surrogates.draws.pathwise import PathwisePosterior
from orchestrator.surrogates.posteriors.exact import ExactGP


class ThompsonSampling(ModelBased):
    """The loop, for subclasses that say what the members are. ``features``: frequencies of a prior's draw."""

    def __init__(self, problem: Problem, options: GpOptions, fitter: Fitter, features: int) -> None:
        super().__init__(problem, options, fitter)
        self._features = features

    @property
    def hallucinates(self) -> bool:
        """No: draws differ in any case."""
        return False

    def _acquisition(self, posterior: ExactGP, turn: Turn) -> ThompsonSample:
        """A function drawn from the posterior."""
        return ThompsonSample.draw(PathwisePosterior(posterior, self._features), turn.rng)
