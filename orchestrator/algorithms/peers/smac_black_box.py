"""SMAC's optimiser of black boxes, as a peer to compare with."""

from __future__ import annotations

import logging
import warnings
from tempfile import TemporaryDirectory
from typing import ClassVar

from ConfigSpace import Configuration
from smac import BlackBoxFacade, Scenario
from smac.main.exceptions import ConfigurationSpaceExhaustedException
from smac.runhistory import StatusType, TrialInfo

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Observation, Options, Problem, Suggestion
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.peers.peer import Peer, conditions_of
from orchestrator.algorithms.peers.smac_space import Configurations

ATTEMPTS = 10

# It warns of having no start design of its own, in the middle of our own output.
logging.getLogger("smac").setLevel(logging.ERROR)


class SmacOptions(DesignOptions):
    """Those of `DesignOptions`."""

    takes_conditions: ClassVar[bool] = True

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        known = conditions_of(problem.domain)
        if known is not None and any(known.counts_by(i) is None for i in known.parents_first):
            return [
                "expected parameters that count by single choices or whole numbers, for SMAC knows no others"
            ]
        return super().check(problem)


class SmacBlackBox(Peer):
    """``smac.BlackBoxFacade`` with its defaults: a Gaussian process with Matern 5/2 (Hamming for choices), EI
    by local search, and about one suggestion in twelve at random.

    Source: Lindauer et al. 2022; the program is SMAC's.

    Deviations: our start design in place of its Sobol points. Its parameters are our unit cube's, in which
    log scales are already linear; discrete ones are told by their number. Its own loop, which evaluates good
    points again where there is noise, is left out, as a point may not be repeated; its selector is asked for
    point after point. Known and reported variances cannot be told to it: it infers the noise. It does not
    condition on points that run, but keeps away from repeating them. A failed evaluation is known to it as
    crashed, which its model overlooks. A point that may not be repeated gives way to the selector's next,
    after ten of which a random one is taken. A facade is made for each ask, with the ask's seed, so that
    nothing depends on what was asked before; but its local search begins from a set of configurations, in an
    order that Python's hashes of text make: only with the same PYTHONHASHSEED do two processes suggest the
    same.
    """

    name: ClassVar[str] = "smac"
    Options: ClassVar[type[Options]] = SmacOptions

    def __init__(self, problem: Problem, options: DesignOptions) -> None:
        super().__init__(problem, options)
        self._configurations = Configurations(problem.domain)
        self._told: list[tuple[Configuration, float | None]] = []

    def _learned(self, observation: Observation) -> None:
        if self._configurations.varying:
            point = self._problem.domain.snap(observation.point)
            # It minimises.
            cost = None if observation.value is None else -observation.value
            self._told.append((self._configurations.configuration(point), cost))

    def _choose(self, turn: Turn) -> Suggestion | None:
        if not self._configurations.varying:
            return None
        with warnings.catch_warnings(), TemporaryDirectory(prefix="orchestrator-smac-") as folder:
            warnings.simplefilter("ignore")
            selector = iter(self._facade(turn, folder)._config_selector)
            for _ in range(ATTEMPTS):
                try:
                    point = self._configurations.point(next(selector))
                except (ConfigurationSpaceExhaustedException, StopIteration):
                    return None
                if turn.exclusion.allows(point[None, :])[0]:
                    return Suggestion(point, why={"source": "model"})
        return None

    def _facade(self, turn: Turn, folder: str) -> BlackBoxFacade:
        """All that is known, told to a new one. It has a folder of its own, whether it writes or not."""
        scenario = Scenario(
            self._configurations.space,
            deterministic=True,
            n_trials=len(self._told) + len(turn.running) + ATTEMPTS,
            seed=turn.seed(),
            output_directory=folder,
        )
        facade = BlackBoxFacade(
            scenario,
            # It wants a target, and never calls it.
            _never,
            initial_design=BlackBoxFacade.get_initial_design(scenario, n_configs=0),
            logging_level=False,
            overwrite=True,
        )
        # A point told twice has another seed each time: SMAC keeps one cost for each.
        for seed, (configuration, cost) in enumerate(self._told):
            status = StatusType.CRASHED if cost is None else StatusType.SUCCESS
            facade.runhistory.add(configuration, 0.0 if cost is None else cost, status=status, seed=seed)
        for point in turn.running:
            trial = TrialInfo(self._configurations.configuration(point), seed=len(self._told))
            facade.runhistory.add_running_trial(trial)
        return facade


def _never(config: Configuration, seed: int = 0) -> float:
    raise NotImplementedError(f"expected no evaluation by SMAC itself, got {config} with seed {seed}")
