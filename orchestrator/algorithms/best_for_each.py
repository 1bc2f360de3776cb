"""Best for each: the search of ``auto`` where there are to be best settings for each of some conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Gain, Insight, Options, Problem, Suggestion
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.for_each.believed_profile import BelievedProfile
from orchestrator.algorithms.for_each.grounds import Grounds
from orchestrator.algorithms.for_each.worth import Worth
from orchestrator.algorithms.mixture.chances import chances
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.mixture_search import MixtureSearch
from orchestrator.algorithms.mixture.options import AutoOptions, LearningOptions
from orchestrator.algorithms.remaining_gain import (
    Foreseen,
    Part,
    can_be_foreseen,
    gain_in_parts,
    is_learned,
)
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

ROUNDS, STEPS = 5, 12
"""How often the point that is worth most is moved on, and by how many steps each time."""
FIRST_STEP, SHORTENING = 0.05, 0.5
CONDITIONS = 16
"""Of which it is asked what is left to gain: those that come first are spread over all."""


class BestForEachOptions(LearningOptions):
    """Those of `AutoOptions`."""

    heeds_use: ClassVar[bool] = True


class BestForEach(MixtureSearch):
    """What is sought is a function: of each condition c that comes up in use the settings x with the highest
    f(x, c). An evaluation in one condition says something of its neighbours.

    1. The start design, in conditions that come as often as in use, until its results are told.
    2. Hypotheses of f over settings and conditions, weighed by evidence as those of `Auto` are: line 2 there.
    3. Of each of m conditions the settings x_c that the leader believes best, and rivals, where it expects
       most improvement over these.
    4. The point (x, c) whose evaluation is expected to add most to the highest mean of each condition, among
       x, x_c and the rivals there, on average over the conditions as they come up and over the hypotheses
       (`acquisition.profile_gain`). What runs counts as come out as expected.

    Where evaluations fail, settings are as good as they are likely to succeed, and so is a point, with the
    caution of `Auto`; for its time where durations are weighed. Where a condition is held, the point is
    chosen in it, for what it adds to all.

    Source: Pearce & Branke 2018 (REVI) and Pearce, Klaise & Groves 2020 (ConBO), the knowledge gradient of
    each condition, averaged; Ginsbourger et al. 2014, profile optima; rivals by expected improvement as
    there; over several hypotheses, ours.

    Deviations: of the knowledge gradient one place on either side counts (`profile_gain`). m are those of
    `ConditionsInUse`, and evaluations are in these alone. Settings are drawn about those that promise most,
    and moved on, and not climbed to by gradients. Hyperparameters are not known. Of a hypothesis that sees
    values through a warp, what is gained counts as much as a unit is worth at the best of the condition.
    Batches are chosen one after the other. Of more than 600 results the models hold those that `Auto` holds.
    A point is not suggested twice.
    """

    name: ClassVar[str] = "auto"
    purpose: ClassVar[str] = "best for each"
    Options: ClassVar[type[Options]] = BestForEachOptions

    def __init__(self, problem: Problem, options: AutoOptions) -> None:
        super().__init__(problem, options)
        assert problem.in_use is not None
        self._in_use = problem.in_use
        self._grounds = Grounds(self._problem.domain, problem.in_use)

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`: the settings for the condition in which a part of the domain holds it; without
        one, for the usual condition.
        """
        learned = self._learned
        if learned is None:
            return None
        part = self._within(within) or self._in_use.designs(self._problem.domain)
        rng = stream(self._problem.seed, "best for each, recommendation", learned.refit.number)
        return learned.recommended(part, rng)

    def remaining_gain(self) -> Gain | None:
        """See `ForeseesGain`. By the settings that are the best for their condition in use, over those that
        are believed best in it, on average over `CONDITIONS` of them at most; by those members that see the
        values as the leader does, and as evaluations are likely to succeed. None before there is a model, of
        fewer than two values for each parameter, and where the leader sees detail that it does not resolve,
        or no more than a scale is known of it (`is_learned`).
        """
        learned = self._learned
        if learned is None or not can_be_foreseen(self._history, self._problem.domain):
            return None
        foreseen = Foreseen.by(learned.belief, learned.success)
        if foreseen is None:
            return None
        rng = stream(self._problem.seed, "best for each, remaining gain", learned.refit.number)
        parts = [
            Part(own, learned.recommended(own, rng).point[None, :], weight)
            for own, weight in self._grounds.first(CONDITIONS)
        ]
        if not parts:
            return None
        draws = gain_in_parts(foreseen, parts, rng)
        known = is_learned(draws, foreseen.scale, self._history.values)
        return Gain(draws, len(self._history)) if known else None

    def _suggest(self, turn: Turn) -> Suggestion:
        if self._learned is not None and not self._opening.lasts(len(turn.running)):
            return self._chosen(self._learned, turn)
        designed = self._opening.suggest(turn)
        moved = self._held_as(turn, self._in_use.of_trial(turn.trial)).snap(designed.point)
        return designed if not turn.exclusion.allows(moved[None, :])[0] else replace(designed, point=moved)

    def _held_as(self, turn: Turn, condition: FloatArray) -> Domain:
        """The part where a turn may choose that is in a condition, but for those of it that are held already;
        all of it, where no feasible settings are found there.
        """
        told = zip(self._in_use.coordinates, condition.tolist(), strict=True)
        part = turn.domain.holding({j: x for j, x in told if not turn.domain.is_held[j]})
        return part if part.share > 0.0 else turn.domain

    def _insight(self, learned: Learned, notes: Sequence[str]) -> Insight:
        """No trial is the best."""
        return replace(learned.insight(notes), believed_best=None)

    def _chosen(self, learned: Learned, turn: Turn) -> Suggestion:
        domain, outcomes = self._problem.domain, learned.outcomes
        with learned.belief.hallucinating(domain.embed(turn.running)):
            worth = Worth(self._profile(learned, turn), outcomes, turn.exclusion)
            found = self._most(worth, turn)
            if found is None:
                return at_random(turn.domain, turn.exclusion, turn.rng)
            gain = worth.gain(found)
        X = domain.embed(found[None, :])
        why = {"source": "model", "for_each": {"gain": gain}, **chances(X, outcomes)}
        leader = learned.belief.leader
        return Suggestion(found, leader.predicted(X), why, leader.parts(X[0]))

    def _profile(self, learned: Learned, turn: Turn) -> BelievedProfile:
        known = self._history.best(len(self._history))
        succeeds = None if learned.success is None else learned.success.log_success.values
        return BelievedProfile.of(learned.belief, self._grounds, known, succeeds, turn.rng)

    def _most(self, worth: Worth, turn: Turn) -> FloatArray | None:
        """(D,) the point that is worth most, or None where none is allowed."""
        coordinates = list(self._in_use.coordinates)
        designs, conditions = worth.profile.designs, self._in_use.points
        if turn.is_held:
            designs, held = turn.domain.snap(designs), turn.domain.is_held[coordinates]
            conditions = np.unique(np.where(held, designs[0, coordinates], conditions), axis=0)
        points, scores = worth.of(designs, conditions)
        top = int(np.argmax(scores))
        best, reached, step = points[top], scores[top], FIRST_STEP
        if np.isneginf(reached):
            return None
        part = self._held_as(turn, best[coordinates])
        for _ in range(ROUNDS):
            moved = best + step * turn.rng.standard_normal((STEPS, len(best)))
            moved[:, coordinates] = best[coordinates]
            points, scores = worth.of(part.snap(moved), best[None, coordinates])
            top = int(np.argmax(scores))
            if scores[top] > reached:
                best, reached = points[top], scores[top]
            step *= SHORTENING
        return np.asarray(best)
