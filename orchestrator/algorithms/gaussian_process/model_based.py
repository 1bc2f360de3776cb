"""The loop that algorithms with exact Gaussian processes share: start design, then acquisition and maximiser.

A subclass chooses the parts: which process has a say, what is maximised, and where.

Notation: D coordinates, E embedded columns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, ClassVar

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.acquisition.posterior import Acquisition
from orchestrator.acquisition.reason import reason
from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.base import (
    AskKey,
    Insight,
    Observation,
    Options,
    Problem,
    Refit,
    Suggestion,
)
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.gaussian_process.belief import GpBelief, Schedule
from orchestrator.algorithms.gaussian_process.believed_best import believed_best_by
from orchestrator.algorithms.gaussian_process.best_where_held import best_for
from orchestrator.algorithms.gaussian_process.fitters import Fitter
from orchestrator.algorithms.gaussian_process.options import GpOptions
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.surrogates.posteriors.exact import ExactGP

INCUMBENTS = 3
# EI improves on the highest posterior mean among so many of the best points told.
CONTENDERS = 10
# By so much at least, in standardised units: without it EI spends dozens of evaluations on the last digits of
# a top that it has found, before it looks elsewhere.
LEAST_IMPROVEMENT = 1e-5


class ModelBased(ABC):
    """The loop."""

    name: ClassVar[str]
    Options: ClassVar[type[Options]]

    def __init__(self, problem: Problem, options: GpOptions, fitter: Fitter) -> None:
        self._problem = problem
        self._design = StartDesign(problem.domain, problem.seed)
        self._history = History(problem.domain, exact=problem.noise.is_none)
        schedule = Schedule(options.designed(problem), options.wait)
        self._belief = GpBelief(problem, self._history, fitter, schedule, self.name)
        self._turns = Turns(problem, self._history, self.name)

    @property
    def hallucinates(self) -> bool:
        """Whether points that run count as done while the next one is chosen."""
        return True

    @abstractmethod
    def _acquisition(self, posterior: ExactGP, turn: Turn) -> Acquisition:
        """What is to be maximised. In ``posterior`` the points that run count as done, if it hallucinates."""

    def _search(self, objective: Embedded, turn: Turn) -> FloatArray | None:
        """A (D,) point where the acquisition is high and that may be suggested, or None."""
        incumbents = self._best(turn, INCUMBENTS)
        found = maximise(objective, turn.domain, incumbents, turn.exclusion.allows, turn.rng)
        return None if found is None else found.point

    def _member(self, turn: Turn) -> int:
        """The number of the process that has a say."""
        del turn
        return 0

    def _begin(self, turn: Turn) -> Suggestion:
        """A point while there is no model."""
        return self._design.within(turn.domain).suggest(turn.trial, turn.exclusion)

    def _best(self, turn: Turn, count: int) -> FloatArray:
        """(k, D) by what the first process believes: see `best_for`."""
        embed = turn.domain.embed
        return best_for(turn, self._history, lambda X: self._belief.posterior.mean_at(embed(X)), count)

    def _learned(self, observation: Observation) -> None:
        """A result has been told, and is to be learned."""
        del observation
        self._belief.learn(len(self._history) - 1)

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. Before the first refit is adopted: the start design, on and on."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. O(n^2) for each, times the number of processes."""
        for observation in observations:
            self._history.tell(observation)
            self._learned(observation)

    def refit_due(self) -> int | None:
        """See `Algorithm`. The first when the start design is told, then as the options say."""
        return self._belief.refit_due()

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`."""
        return self._belief.compute_refit(number)

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`."""
        self._belief.adopt(refit)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        if not self._belief.ready:
            return Insight(notes=self._belief.notes)
        return Insight(
            hyperparameters=self._belief.hyperparameters,
            notes=self._belief.notes,
            believed_best=believed_best_by(self._belief, self._problem, self._history),
        )

    def _suggest(self, turn: Turn) -> Suggestion:
        return self._choose(turn) if self._belief.ready else self._begin(turn)

    def _choose(self, turn: Turn) -> Suggestion:
        """The acquisition, its maximiser, and what the model believed of it."""
        domain, m = turn.domain, self._member(turn)
        fitted, running = self._belief.fitted, domain.embed(turn.running)
        posterior, noise = fitted.posteriors[m], fitted.typical_noise
        with posterior.hallucinating(running, extra_noise=noise) if self.hallucinates else nullcontext():
            acquisition = self._acquisition(posterior, turn)
            point = self._search(Embedded(domain, acquisition), turn)
            if point is None:
                return at_random(domain, turn.exclusion, turn.rng)
            why = reason(acquisition, domain.embed(point))
        return self._explained(point, m, why)

    def _explained(self, point: FloatArray, m: int, more: dict[str, Any]) -> Suggestion:
        """The suggestion of a (D,) point with what process m predicts there."""
        fitted = self._belief.fitted
        mean, variance = fitted.posteriors[m].mean_and_variance(self._problem.domain.embed(point))
        member = list(self._belief.hyperparameters)[m]
        return Suggestion(
            point,
            self._belief.predict(float(mean[0]), float(variance[0])),
            {"source": "model", "member": member, **more},
        )

    def _improvement(self, posterior: ExactGP, turn: Turn) -> LogExpectedImprovement:
        """Log EI over the highest posterior mean among the best points told and those that run."""
        contenders = np.vstack([self._best(turn, CONTENDERS), turn.running_there])
        mean, _ = posterior.mean_and_variance(self._problem.domain.embed(contenders))
        return LogExpectedImprovement(posterior, float(mean.max()) + LEAST_IMPROVEMENT)

    def _evaluation(self, turn: Turn) -> int:
        """t >= 1, the number of the evaluation to come."""
        return len(self._history) + len(turn.running) + 1
