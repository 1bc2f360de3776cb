"""What `auto` and `explore` have learned of values, and of whatever else comes of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.algorithms.base import Insight, Prediction, Problem, Refit, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import MixtureBelief
from orchestrator.algorithms.mixture.believed_outcomes import (
    after_a_failure,
    believed_further,
    believed_outcomes,
)
from orchestrator.algorithms.mixture.conditioned import mixture
from orchestrator.algorithms.mixture.contenders import Contenders
from orchestrator.algorithms.mixture.further_belief import FurtherBelief
from orchestrator.algorithms.mixture.kept import results
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.mixture.outcome_belief import OutcomeBelief
from orchestrator.algorithms.mixture.outcomes_kept import OutcomesKept
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.algorithms.recommended import recommended
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


@dataclass(eq=False)
class Learned:
    """By a ``refit``, which left things ``standing`` so, and from what was told since: it learns in place.

    ``belief`` is of values; ``outcomes`` of constraints on outcomes, of whether evaluations succeed and of
    how long they take, once there is something to believe of one of these; ``further`` of the objectives
    beside the value, if enough is known of all of them.
    """

    problem: Problem
    history: History
    refit: Refit
    standing: Standing
    belief: MixtureBelief
    outcomes: OutcomeBelief | None
    further: FurtherBelief | None

    @classmethod
    def by(cls, refit: Refit, problem: Problem, history: History) -> Learned:
        """From the results that the refit saw: O(n^3) for each hypothesis. Those told since are still to be
        learned. Raises ValueError if it saw more than were told.
        """
        refit.require_told(len(history))
        standing = Standing.of(refit.payload)
        history.offset_variance = standing.offset_variance
        history.set_aside(standing.wild.aside)
        kept = OutcomesKept(problem, history, refit.number, refit.observations)
        return cls(
            problem,
            history,
            refit,
            standing,
            mixture(problem, history, refit, standing),
            believed_outcomes(kept, refit.payload),
            believed_further(kept, refit.payload),
        )

    def learn(self, row: int) -> None:
        """Take in one result, by its number: O(n^2) for each model."""
        result = results(self.problem, self.history, [row])
        succeeded = len(result.values) > 0
        if succeeded:
            self.belief.learn(result)
        X = self.problem.domain.embed(self.history.points[row : row + 1])
        if self.outcomes is not None:
            slacks, seconds = self.history.slacks[row], self.history.durations[row : row + 1]
            self.outcomes.learn(X, slacks, seconds, succeeded=succeeded)
        if self.further is not None:
            self.further.learn(X, self.history.further[row])
        if not succeeded:
            self.outcomes = after_a_failure(self.outcomes, self.problem, self.history, row)

    def refit_due(self, options: AutoOptions) -> int | None:
        """The number of the next refit once it is due, as the options say; else None."""
        seen = self.refit.observations
        return self.refit.number + 1 if len(self.history) - seen >= options.wait(seen) else None

    @property
    def success(self) -> SuccessBelief | None:
        """Of whether evaluations succeed, where some failed."""
        return None if self.outcomes is None else self.outcomes.success

    @property
    def sought(self) -> MixtureBelief:
        """Of what is to be best: of values or, where settings are off, of their averages."""
        off = self.problem.off
        return self.belief if off is None else self.belief.averaged(off.embedded(self.problem.domain))

    @property
    def contenders(self) -> Contenders:
        """For the best point, by what is believed now."""
        noisy, off = self.standing.noisy(self.problem), self.problem.off
        return Contenders(self.problem.domain, self.history, self.sought.leader, noisy, self.outcomes, off)

    def recommended(self, domain: Domain, rng: np.random.Generator) -> Suggestion:
        """The point believed best of a domain, by the leader of the mixture."""
        leader = self.sought.leader
        found = recommended(domain, self.history, leader.posterior, leader.scale, self.outcomes, rng)
        # What is believed of a value there allows for detail that results do not resolve.
        return replace(found, predicted=self.predicted(found.point))

    def predicted(self, point: FloatArray) -> Prediction:
        """Of what is sought, by the leader of the mixture, at a (D,) point."""
        return self.sought.leader.predicted(self.problem.domain.embed(point[None, :]))

    def insight(self, notes: Sequence[str]) -> Insight:
        """Of values, with ``notes`` on more than the refit."""
        belief, factors = self.belief, self.belief.leader.found.factors
        found = [member.found for member in belief.members]
        return Insight(
            weights=belief.by_name,
            decomposition=None if factors is None else [list(factor) for factor in factors],
            probability=None if factors is None else belief.probability(factors),
            hyperparameters={one.hypothesis.name: one.hyperparameters.to_json() for one in found},
            notes=[f"refit {self.refit.number}, from {self.refit.observations} results", *notes],
            # Of several objectives no point is the best.
            believed_best=None if self.problem.further_objectives else self.contenders.believed_best,
            offsets=belief.leader.offsets(self.history.block_names) if self.problem.blocks else {},
        )
