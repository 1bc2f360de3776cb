"""EXP3BO as an ensemble of kernels: an adversarial bandit says which to draw from (Gopakumar et al. 2018)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from pydantic import Field

from orchestrator.algorithms.ask_and_tell.trial_origins import Origin, TrialOrigins
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Insight, Observation, Options, Problem
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.kernel_bandit import KernelBanditOptions
from orchestrator.algorithms.gaussian_process.kernel_dictionary import templates
from orchestrator.algorithms.gaussian_process.thompson_sampling import ThompsonSampling
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.mixtures.ensemble import normalised


class Exp3BoOptions(KernelBanditOptions):
    """Options of ``exp3-bo``, and those of `KernelBanditOptions`. ``gamma``: the share of blind pulls."""

    gamma: float = Field(0.1, gt=0.0, le=1.0)


class Exp3Bo(ThompsonSampling):
    """An arm is drawn by EXP3's probabilities; its Thompson sample is next; the value is its reward.

    p_m = (1 - gamma) w_m / sum w + gamma / M, and log w_m grows by gamma (reward / p_m) / M when m was
    played.

    Source: Gopakumar et al. 2018, Algorithm 1, adapted as in Lu et al. 2022, section 6; EXP3 of Auer et al.
    2002.

    Deviations: in the original an arm is a category with results of its own; here all arms learn from every
    result, as they model the same function. Rewards are the values' ranks among those told, from 0 to 1, as
    EXP3 needs them bounded. An arm is drawn from the trial's number and the probabilities of the moment, so
    that its reward finds it again; with evaluations under way at once, these may have moved between. What was
    asked for while parameters were held, and a person's point, is no reward of an arm's. The rest as in
    ``gp-ts``.
    """

    name: ClassVar[str] = "exp3-bo"
    Options: ClassVar[type[Options]] = Exp3BoOptions

    def __init__(self, problem: Problem, options: Exp3BoOptions) -> None:
        dictionary = templates(options.kernels)
        super().__init__(problem, options, Likeliest(dictionary), options.features)
        self._gamma = options.gamma
        self._names = [template.name for template in dictionary]
        self._log_weights = np.zeros(len(dictionary))
        self._origins = TrialOrigins(problem, self._design, self._history)

    @property
    def _probabilities(self) -> FloatArray:
        weights = np.exp(normalised(self._log_weights))
        return np.asarray((1.0 - self._gamma) * weights + self._gamma / len(weights))

    def _arm(self, trial: int) -> int:
        u = stream(self._problem.seed, "exp3-bo arm", trial).random()
        played = int(np.searchsorted(np.cumsum(self._probabilities), u))
        return min(played, len(self._names) - 1)

    def _member(self, turn: Turn) -> int:
        return self._arm(turn.trial)

    def _learned(self, observation: Observation) -> None:
        """The reward, if it was an arm that chose the point, among all there are."""
        if self._origins.of_last(observation, self._belief.ready) is Origin.CHOSEN:
            arm = self._arm(observation.trial)
            earlier = self._history.values[:-1]
            # A failed evaluation is the worst there can be, and compares as lower than any.
            reward = 0.0
            if observation.value is not None and len(earlier):
                reward = float(np.mean(~(earlier >= observation.value)))
            gain = self._gamma * reward / self._probabilities[arm] / len(self._names)
            self._log_weights = self._log_weights.copy()
            self._log_weights[arm] += gain
            self._log_weights -= self._log_weights.max()
        super()._learned(observation)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        weights = dict(zip(self._names, self._probabilities.tolist(), strict=True))
        return replace(super().insight(), weights=weights)
