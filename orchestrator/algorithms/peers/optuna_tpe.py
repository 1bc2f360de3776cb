"""Optuna's tree-structured Parzen estimator, as a peer to compare with."""

from __future__ import annotations

from typing import ClassVar

from optuna.samplers import TPESampler

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Observation, Options, Problem, Suggestion
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.peers.optuna_study import ToldStudy
from orchestrator.algorithms.peers.peer import Peer

ATTEMPTS = 10


class OptunaTpeOptions(DesignOptions):
    """``multivariate``: estimate the parameters' densities jointly; Optuna's own choice, if left out.
    ``candidates``: drawn from the good density at each ask, of which the likeliest to be good is taken. And
    those of `DesignOptions`.
    """

    takes_conditions: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    trades_off: ClassVar[bool] = True

    multivariate: bool | None = None
    candidates: int = 24


class OptunaTpe(Peer):
    """``optuna.samplers.TPESampler`` with its defaults; points that run count as bad (its constant liar),
    and, where there are constraints on outcomes, each slack has densities of its own. Of several objectives
    the good results are those that add most hypervolume.

    Source: Bergstra, Bardenet, Bengio & Kegl 2011; Watanabe 2023; the program is Optuna's.

    Deviations: our start design in place of its random one. Its parameters are our unit cube's, in which log
    scales are already linear; integers on a log scale are snapped. It has no notion of noise. A point that
    may not be repeated is drawn anew, after ten of which a random one is taken. A sampler is made for each
    ask, with the ask's seed, so that nothing depends on what was asked before.
    """

    name: ClassVar[str] = "optuna-tpe"
    Options: ClassVar[type[Options]] = OptunaTpeOptions

    def __init__(self, problem: Problem, options: OptunaTpeOptions) -> None:
        super().__init__(problem, options)
        self._options = options
        self._study = ToldStudy(problem)

    def _learned(self, observation: Observation) -> None:
        self._study.learn(observation)

    def _choose(self, turn: Turn) -> Suggestion | None:
        sampler = TPESampler(
            n_startup_trials=1,
            n_ei_candidates=self._options.candidates,
            multivariate=self._options.multivariate,
            constant_liar=True,
            seed=turn.seed(),
        )
        point = self._study.draw(sampler, turn, ATTEMPTS)
        return None if point is None else Suggestion(point, why={"source": "model"})
