"""Optuna's Gaussian process with log expected improvement, as a peer to compare with."""

from __future__ import annotations

import warnings
from typing import ClassVar

import torch  # noqa: F401 - Optuna imports it at the first ask, which would be taken for the time of that ask
from optuna.samplers import GPSampler

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Observation, Options, Problem, Suggestion
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.peers.optuna_study import ToldStudy
from orchestrator.algorithms.peers.peer import Peer, deterministic

# Each costs a fit.
ATTEMPTS = 3


class OptunaGpOptions(DesignOptions):
    """Those of `DesignOptions`."""

    takes_conditions: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    trades_off: ClassVar[bool] = True


class OptunaGp(Peer):
    """``optuna.samplers.GPSampler`` with its defaults: Matern 5/2 with a length-scale for each parameter, log
    EI, conditioned on the points that run, and a model of each slack of constraints on outcomes; of several
    objectives the log expected improvement of their hypervolume.

    It is told that values are exact where the problem says so, and infers the noise otherwise.

    Source: the program is Optuna's; log EI is of Ament et al. 2023.

    Deviations: our start design in place of its random one. Its parameters are our unit cube's, in which log
    scales are already linear; integers on a log scale are snapped. Known and reported variances cannot be
    told to it. A point that may not be repeated is drawn anew, after three of which a random one is taken. A
    sampler is made for each ask, with the ask's seed, so that nothing depends on what was asked before: its
    fit begins at Optuna's first guess and not at the fit before. Optuna sets torch to one thread.
    """

    name: ClassVar[str] = "optuna-gp"
    Options: ClassVar[type[Options]] = OptunaGpOptions

    def __init__(self, problem: Problem, options: OptunaGpOptions) -> None:
        super().__init__(problem, options)
        self._study = ToldStudy(problem)

    def _learned(self, observation: Observation) -> None:
        self._study.learn(observation)

    def _choose(self, turn: Turn) -> Suggestion | None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it calls telling that values are exact experimental
            sampler = GPSampler(
                n_startup_trials=1,
                deterministic_objective=deterministic(self._problem),
                warn_independent_sampling=False,
                seed=turn.seed(),
            )
        point = self._study.draw(sampler, turn, ATTEMPTS)
        return None if point is None else Suggestion(point, why={"source": "model"})
