"""PB2: a population of trainings, settings chosen by a bandit (Parker-Holder et al. 2020)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.reason import reason
from orchestrator.acquisition.ucb import UpperConfidenceBound, practical_beta
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Insight, Options, Prediction, Problem, Refit, Suggestion
from orchestrator.algorithms.population.gain_belief import GainBelief
from orchestrator.algorithms.population.in_context import InContext
from orchestrator.algorithms.population.options import PopulationOptions
from orchestrator.algorithms.population.perturbed import perturbed
from orchestrator.algorithms.population.population_search import PopulationSearch
from orchestrator.algorithms.population.trainings import Piece
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.unit_cube.domain import Domain

# Settings of so many of the best at the end of a piece are looked about.
INCUMBENTS = 3


class Pb2(PopulationSearch):
    """At the end of a piece the worst quarter goes on from what one of the best quarter left, with the
    settings of which most is to be gained by the next piece:

        x = argmax mu(x, t, y) + sqrt(beta) sigma(x, t, y),

    by a Gaussian process of what pieces gained, over settings x, time t and how a training stands y.

    Source: Parker-Holder, Nguyen & Roberts 2020, Algorithm 1; settings of all kinds in one process, choices
    included, of which a sequel has a bandit of its own choose (Parker-Holder et al. 2021).

    Deviations: time is an input with a length-scale that is fitted, as those of all inputs are, in place of a
    rate of forgetting; how a training stands is seen by where that lies among all values, as a normal
    distribution has it. First pieces are learned from as well, over how most stand after them, and so what
    further trainings begin with is chosen alike. Gains are warped where their tail is heavy. The practical
    schedule of beta, and hyperparameters maximum a posteriori. A piece that failed gained as little as the
    worst that did not. While few pieces are known, settings change as `Pbt` has it; so are trainings compared
    and begun.
    """

    name: ClassVar[str] = "pb2"
    Options: ClassVar[type[Options]] = PopulationOptions

    def __init__(self, problem: Problem, options: PopulationOptions) -> None:
        super().__init__(problem, options)
        self._belief = GainBelief(problem, self._trainings)

    def refit_due(self) -> int | None:
        """See `Algorithm`. When a tenth more gains are known, and two more at least."""
        return self._belief.refit_due()

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`."""
        return self._belief.compute_refit(number, len(self._history))

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`."""
        refit.require_told(len(self._history))
        self._belief.adopt(refit)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        told = super().insight()
        return Insight(hyperparameters=self._belief.hyperparameters, notes=told.notes)

    def _changed(self, source: Piece, point: FloatArray, turn: Turn, domain: Domain) -> Suggestion:
        near = [piece.point for piece in self._trainings.standing(source.rung)[:INCUMBENTS]]
        promising = self._promising(source.value, np.vstack([point, *near]), turn, domain)
        return promising or Suggestion(perturbed(point, domain, turn.rng), why={"source": "random"})

    def _further(self, turn: Turn) -> Suggestion | None:
        near = [piece.point for piece in self._trainings.standing(0)[:INCUMBENTS]]
        domain = self._within(0)
        return self._promising(self._trainings.start, np.array(near), turn, domain) if near else None

    def _promising(self, value: float, near: FloatArray, turn: Turn, domain: Domain) -> Suggestion | None:
        """Settings of a part of the domain of which most may be gained where a training stands at a value,
        looked for about (k, D) points that are ``near``, too; None where there is no model, or none left.
        """
        belief = self._belief
        if not belief.ready:
            return None
        posterior, stands = belief.posterior, belief.stands(value)
        beta = practical_beta(len(belief) + len(turn.running) + 1, domain.dimension - 1)
        with posterior.hallucinating(belief.running(turn.running)):
            bound = UpperConfidenceBound(InContext(posterior, stands), beta)
            objective, allows = Embedded(domain, bound), turn.exclusion.allows
            found = maximise(objective, domain, domain.rounded(near), allows, turn.rng)
            if found is None:
                return None
            more = reason(bound, domain.embed(found.point))
        gain = belief.predicted(domain.embed(found.point), stands)
        predicted = Prediction(float(value + gain.mean), gain.deviation)
        return Suggestion(found.point, predicted, {"source": "model", "gain": float(gain.mean), **more})
