"""Safe search: that of ``auto`` where limits on outcomes are to be kept in every trial."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.ask_and_tell.within_reach import WithinReach
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import (
    AskKey,
    BelievedBest,
    Insight,
    Observation,
    Options,
    Problem,
    Suggestion,
)
from orchestrator.algorithms.history import History
from orchestrator.algorithms.safe.believed_constraints import TINY, BelievedConstraints
from orchestrator.algorithms.safe.believed_limits import BelievedLimits
from orchestrator.algorithms.safe.believed_value import BelievedValue
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

NOTHING_KEPT = "no result is known yet that keeps every limit, so that nothing is asked for"
# The part of a known number of trials that is for improvement alone in the end.
LAST_SHARE = 0.2


class SafeSearchOptions(Options):
    """There is nothing to choose."""

    keeps_constraints: ClassVar[bool] = True
    chooses_rows: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    keeps_limits: ClassVar[bool] = True
    may_wait: ClassVar[bool] = True


@dataclass(frozen=True, eq=False)
class _Learned:
    value: BelievedValue
    limits: BelievedLimits
    constraints: BelievedConstraints

    @property
    def anchors(self) -> FloatArray:
        """(k, D) where to look from: what may be the best, the best first; before there is such a result,
        what kept the limits.
        """
        kept = self.value.kept
        if not len(kept):
            return self.limits.told
        return kept[np.argsort(-self.value.mean(kept), kind="stable")]


class SafeSearch(WithoutRefits):
    """No point is suggested unless every limit is as sure to hold there as it has to be.

    ```
    1  the value, and each slack of a limit or a constraint, have Gaussian processes under S draws of
       hyperparameters
    2  safe = where each limit holds with its probability, by all draws together and without what still runs
    3  x = argmax over safe of E max(f(x) - best, 0), times the probability that the other constraints hold;
       of that probability alone before a result satisfies them
    4  t = argmax over all of the same, times the probability that all limits hold, times the part of the
       limits' slacks' variance that results explain
    5  o = argmax over safe of the part of the slacks' variance at t that an evaluation would take away
    6  if that part of what t promises is more than what x does: x = o
    ```

    The last fifth of a known number of trials are of line 3. While no result keeps all limits, and where
    nothing is safe that was not tried, there is no answer.

    Source: safety by a Gaussian process, SafeOpt: Sui et al. 2015, with several limits Berkenkamp et al.
    2021; that the safe set grows only towards what promises more, GoOSE: Turchetta et al. 2019; expected
    improvement times the probability of feasibility after Schonlau et al. 1998; hyperparameters drawn after
    Snoek et al. 2012; the best points' values conditioned on, in noise, after Letham et al. 2019.

    Deviations: SafeOpt trusts given hyperparameters and a bound on the norm of the function; here these are
    drawn from their posterior, under a prior by which slacks change within about a quarter of a parameter's
    range, and the probability is that of the model. The prior mean of a slack is 0. An evaluation's noise is
    part of what has to keep a limit. GoOSE goes for the optimistic maximum of its oracle, and explores what
    is nearest to it; here it is what would tell most of it, by the models. Safe sets are not nested: what was
    held safe is not any more if results say so. What runs counts as unknown for what is safe, and as come out
    as expected for what it teaches. A value of a choice is not safe before it was tried, nor is what is
    nearer to a failure than to what kept the limits. Points are drawn, and not climbed to by gradients; of
    what is listed each row is looked at.
    """

    name: ClassVar[str] = "auto"
    Options: ClassVar[type[Options]] = SafeSearchOptions

    def __init__(self, problem: Problem, options: SafeSearchOptions) -> None:
        del options
        self._problem = problem
        self._history = History(problem.domain, problem.outcome_constraints)
        self._turns = Turns(problem, self._history, "safe search")
        self._learned: _Learned | None = None
        self._is_stale = False

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. Fewer, or none, where no more are held safe, or no row is left."""
        learned = self._believed()
        if learned is None:
            return []
        return self._turns.chosen(n, pending, key, partial(self._suggest, learned))

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. The models are made when they are asked."""
        for observation in observations:
            self._history.tell(observation)
            self._is_stale = True

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`. Of what is held safe, tried or not, the point that is expected to be best."""
        learned = self._believed()
        if learned is None:
            return None
        domain = within or self._problem.domain
        rng = stream(self._problem.seed, "safe search recommendation", len(self._history))
        reach = WithinReach.of(domain, learned.value.kept, rng)

        def may_be_best(points: FloatArray) -> BoolArray:
            return learned.limits.keeps(points) & learned.constraints.likely(points)

        found = reach.best(learned.value.mean, may_be_best, rng)
        if found is None:
            return None
        return self._explained(learned, found.point, {"source": "model"})

    def insight(self) -> Insight:
        """See `Algorithm`."""
        learned = self._believed()
        if learned is None:
            return Insight(notes=[NOTHING_KEPT])
        own = {
            f"limit {number + 1}": model.typical.to_json() for number, model in learned.limits.slacks.items()
        }
        return Insight(
            hyperparameters={"value": learned.value.models.typical.to_json(), **own},
            believed_best=self._believed_best(learned),
        )

    def _believed_best(self, learned: _Learned) -> BelievedBest | None:
        kept = learned.value.kept
        if self._problem.noise.is_none or not len(kept):
            return None
        best = kept[int(np.argmax(learned.value.mean(kept)))]
        row = int(np.flatnonzero((self._history.points == best).all(axis=1))[0])
        return BelievedBest(self._history.trials[row], learned.value.predicted(best))

    def _believed(self) -> _Learned | None:
        """By all that was told; None while no result has a value, and none keeps all limits."""
        if self._is_stale:
            self._is_stale, self._learned = False, None
            limits = BelievedLimits.of(self._problem, self._history)
            value = None if limits is None else BelievedValue.of(self._problem, self._history)
            if limits is not None and value is not None:
                constraints = BelievedConstraints.of(self._problem, self._history)
                self._learned = _Learned(value, limits, constraints)
        return self._learned

    def _suggest(self, learned: _Learned, turn: Turn) -> Suggestion | None:
        value, limits, constraints = learned.value, learned.limits, learned.constraints
        allows = turn.exclusion.allows
        anchors = np.vstack([learned.anchors, turn.running_there])
        rivals = turn.running[constraints.likely(turn.running)]
        reach = WithinReach.of(turn.domain, turn.domain.snap(anchors), turn.rng)

        def safe(points: FloatArray) -> BoolArray:
            allowed = allows(points)
            allowed[allowed] = limits.keeps(points[allowed])
            return allowed

        def worth(points: FloatArray) -> FloatArray:
            return value.log_improvement(points, rivals) + constraints.log_likely(points)

        def promise(points: FloatArray) -> FloatArray:
            return worth(points) + limits.log_likely(points) + np.log(limits.share_known(points))

        with value.beside(turn.running), constraints.beside(turn.running):
            found = reach.best(worth, safe, turn.rng)
            beyond = None if self._ending(turn.trial) else reach.best(promise, allows, turn.rng)
        if found is None:
            return None
        if beyond is not None and beyond.score > found.score:
            telling = partial(limits.told_of, target=beyond.point, running=turn.running)
            opening = reach.best(telling, safe, turn.rng)
            if opening is not None and beyond.score + math.log(max(opening.score, TINY)) > found.score:
                return self._explained(learned, opening.point, {"source": "model", "search": "opening"})
        return self._explained(learned, found.point, {"source": "model", "search": "safe"})

    def _explained(self, learned: _Learned, point: FloatArray, why: dict[str, object]) -> Suggestion:
        kept = [float(chance) for chance in learned.limits.probabilities(point[None, :])[:, 0]]
        if learned.constraints.slacks:
            why = {**why, "feasible": float(np.exp(learned.constraints.log_likely(point[None, :])[0]))}
        return Suggestion(point, learned.value.predicted(point), {**why, "kept": kept})

    def _ending(self, trial: int) -> bool:
        trials = self._problem.trials
        return trials is not None and (1.0 - LAST_SHARE) * trials <= trial < trials
