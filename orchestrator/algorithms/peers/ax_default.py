"""The strategy that Ax chooses by itself, as a peer to compare with."""

from __future__ import annotations

from typing import ClassVar

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Observation, Options, Problem, Suggestion
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.peers.ax_experiment import ToldExperiment
from orchestrator.algorithms.peers.peer import Peer

# Each costs a fit.
ATTEMPTS = 3


class AxOptions(DesignOptions):
    """Those of `DesignOptions`."""

    learns_outcomes: ClassVar[bool] = True
    trades_off: ClassVar[bool] = True


class AxDefault(Peer):
    """``ax.api.client.Client`` with nothing configured: BoTorch's modular generator as Ax sets it up.

    Known and reported noise variances are told to it, and it infers the noise otherwise. It conditions on the
    points that run. Slacks of constraints on outcomes are outcomes to it, constrained to be at least 0, and
    further objectives are objectives.

    Source: the program is Ax's.

    Deviations: our start design in place of its centre and Sobol points. Its parameters are our unit cube's,
    in which log scales are already linear; integers are told by their number, which on a log scale is another
    spacing than the cube's. A point that may not be repeated is drawn anew, after three of which, or where it
    finds none, a random one is taken; likewise once as many results are known as the domain has points, when
    it would search in vain at length. A strategy is made for each ask, with the ask's seed, so that nothing
    depends on what was asked before.
    """

    name: ClassVar[str] = "ax"
    Options: ClassVar[type[Options]] = AxOptions

    def __init__(self, problem: Problem, options: AxOptions) -> None:
        super().__init__(problem, options)
        self._experiment = ToldExperiment(problem)

    def _learned(self, observation: Observation) -> None:
        self._experiment.learn(observation)

    def _choose(self, turn: Turn) -> Suggestion | None:
        if not self._experiment.varies or self._known(turn) >= self._problem.domain.size:
            return None
        point = self._experiment.draw(turn, ATTEMPTS)
        return None if point is None else Suggestion(point, why={"source": "model"})

    def _known(self, turn: Turn) -> int:
        return len(self._history) + len(turn.running)
