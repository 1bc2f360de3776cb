"""What `auto` chooses one point from: of the whole domain, of the part at full fidelity, or of another part.

Where parameters are held, what is to be improved on is what is believed best there, told or not: the best
anywhere may lie where nothing of that part comes near.

Notation: D coordinates, E embedded columns, k points.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from orchestrator.acquisition.averaged_chance import AveragedChance
from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.feasibility import ExpectedSlack, WhereFeasible
from orchestrator.acquisition.posterior import Acquisition, Function
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.gaussian_process.best_where_held import BestWhereHeld
from orchestrator.algorithms.mixture.belief import Member
from orchestrator.algorithms.mixture.chances import chances, for_its_time
from orchestrator.algorithms.mixture.contenders import CONTENDERS, Contenders
from orchestrator.algorithms.mixture.leaning import Leaning
from orchestrator.algorithms.mixture.outcome_belief import OutcomeBelief
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.constrained_ascent import constrained_ascent
from orchestrator.maximisers.climbs.multistart import Allows
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import SettingsOff

Bounds: TypeAlias = tuple[FloatArray, FloatArray]
"""(D,) corners of a box in the unit cube."""

# So many of the best points are searched about.
INCUMBENTS = 3
# What improves on the best by less does not count, in standardised units: the last digits of a top are left
# to the region's model.
LEAST_GLOBAL_IMPROVEMENT, LEAST_LOCAL_IMPROVEMENT = 1e-3, 1e-6


@dataclass(frozen=True, eq=False)
class Ground:
    """What one point is chosen from: the domain, the (k, D) best points told, the highest first, those that
    run, which points may be suggested, draws, and whether values are noisy. ``outcomes`` is what is believed
    of constraints on outcomes, if there are any, ``satisfied`` whether a point is known that satisfies
    them, and ``highest`` the best value of such a point. Where parameters are held, the best points need not
    be told, and those that were are ``told`` (m, D); others run elsewhere. ``promising`` (p, D), if there are
    some, are worth searching about besides, and ``least`` is the least improvement that counts, in
    standardised units. ``off``: how embedded settings are, where it is averages that count. ``leaning``: to
    where good settings were said to lie, if they were.
    """

    domain: Domain
    best: FloatArray
    running: FloatArray
    allows: Allows
    rng: np.random.Generator
    noisy: bool
    outcomes: OutcomeBelief | None = None
    satisfied: bool = True
    highest: float = -math.inf
    told: FloatArray | None = None
    promising: FloatArray | None = None
    least: float = LEAST_GLOBAL_IMPROVEMENT
    off: SettingsOff | None = None
    leaning: Leaning | None = None

    @property
    def is_held(self) -> bool:
        """Whether parameters are."""
        return self.told is not None

    @property
    def is_in_hand(self) -> bool:
        """Whether the best point is told: where parameters are held, it may only be believed in."""
        return self.told is None or (len(self.told) > 0 and bool((self.told[0] == self.best[0]).all()))

    @property
    def about(self) -> FloatArray:
        """(k, D) the points that are searched about."""
        best = self.best[:INCUMBENTS]
        return best if self.promising is None else np.vstack([best, self.promising[:INCUMBENTS]])

    @property
    def likely(self) -> FloatArray:
        """(k, D) of the points that run, those which may turn out to be the best."""
        running = self.running[self.domain.contains(self.running)] if self.is_held else self.running
        if self.outcomes is None or not len(running):
            return running
        X = self.domain.embed(running)
        return running[self.outcomes.likely(X) & self.outcomes.likely_to_succeed(X)]

    @property
    def settled(self) -> FloatArray:
        """(k, E) what counts as known while a point is chosen. What is noisy is not settled by being told:
        that the best may be better than believed is no improvement. Where settings are off, it is: it can be
        found out beside them.
        """
        if not self.noisy or self.off is not None:
            return self.domain.embed(self.running)
        if self.told is not None:
            return self.domain.embed(np.vstack([self.told, self.running]))
        return self.domain.embed(np.vstack([self.best, self.likely]))

    def hallucinating(self) -> AbstractContextManager[None]:
        """Within the block the points that run count as done, as far as constraints on outcomes go."""
        if self.outcomes is None:
            return nullcontext()
        return self.outcomes.hallucinating(self.domain.embed(self.running))

    def where_feasible(self, improvement: Acquisition) -> Acquisition:
        """An improvement, or as much of it as is likely to be seen and to satisfy constraints on outcomes."""
        if self.outcomes is None:
            return improvement
        feasibility = self.outcomes.log_feasibility
        if self.off is not None:
            return WhereFeasible(improvement, AveragedChance(feasibility, self.off))
        return WhereFeasible(improvement, feasibility)

    def as_it_counts(self, improvement: Acquisition) -> Acquisition:
        """As `where_feasible`, for the time that an evaluation takes."""
        return for_its_time(self.where_feasible(improvement), self.outcomes)

    def leaning_to(self, function: Function) -> Function:
        """What is maximised of points, as far as it counts where they were said to be promising."""
        return function if self.leaning is None else self.leaning.on(function, self.domain)

    @property
    def said(self) -> FloatArray:
        """(k, D) points of where they were said to be promising: none where nobody did, or of rows, of which
        all are looked at.
        """
        if self.leaning is None or self.domain.rows is not None:
            return np.empty((0, self.domain.dimension))
        return self.leaning.places(self.domain, self.rng)

    def expected_top(self, member: Member, start: FloatArray, box: Bounds) -> FloatArray:
        """(k, D) where a member and the slacks are expected to have their best point that succeeds and
        satisfies the constraints on outcomes, as seen from a (D,) one; none without constraints or failures.
        """
        if self.outcomes is None:
            return np.empty((0, self.domain.dimension))
        top = constrained_ascent(
            Embedded(self.domain, ExpectedSlack(member.posterior, 0.0)),
            [Embedded(self.domain, slack) for slack in self.outcomes.expected],
            start,
            box,
            self.domain.is_continuous,
        )
        return self.domain.snap(top[None, :])

    def chance(self, X: FloatArray) -> dict[str, float]:
        """Why a point, (1, E) embedded, was chosen: how likely it is to succeed and to satisfy constraints on
        outcomes, and how long it takes.
        """
        return chances(X, self.outcomes)


def ground_of(turn: Turn, sought: Domain, contenders: Contenders) -> Ground:
    """What the point of a turn is chosen from; ``sought`` is `Problem.sought`, as turns have it."""
    if not turn.is_held:
        return _ground_anywhere(turn, contenders)
    if turn.domain is sought and contenders.history.satisfied:
        return _ground_at_full(turn, contenders)
    return _ground_where_held(turn, contenders)


def _ground_anywhere(turn: Turn, contenders: Contenders) -> Ground:
    """Over the best points told, of which there must be one."""
    return Ground(
        domain=turn.domain,
        best=contenders.best,
        running=turn.running,
        allows=turn.exclusion.allows,
        rng=turn.rng,
        noisy=contenders.noisy,
        outcomes=contenders.outcomes,
        satisfied=contenders.history.satisfied,
        highest=contenders.history.highest,
        off=contenders.embedded_off,
    )


def _ground_at_full(turn: Turn, contenders: Contenders) -> Ground:
    """Where only fidelity is held: over the best points told there, of which there must be one, as where
    nothing is held. What cheap trials found that is better still promises something until it is looked at
    closely, and is searched about.
    """
    ground = _ground_anywhere(turn, contenders)
    promising = BestWhereHeld.of(turn.domain, contenders.history, contenders.expected)
    return replace(ground, told=ground.best, promising=promising.points[~promising.told])


def _ground_where_held(turn: Turn, contenders: Contenders) -> Ground:
    """Over what is believed best in the part. While nothing there is likely to satisfy constraints on
    outcomes, none of it counts as satisfying them, whatever was told elsewhere.
    """
    part, history, outcomes = turn.domain, contenders.history, contenders.outcomes
    best, satisfied = BestWhereHeld.of(part, history, contenders.expected), True
    if outcomes is not None:
        likely = outcomes.likely(part.embed(best.points))
        satisfied = bool(likely.any())
        best = best.among(likely) if satisfied else best
    there = history.satisfying & part.contains(history.points) & part.feasible(history.points)
    return Ground(
        domain=part,
        best=best.points[:CONTENDERS],
        running=turn.running,
        allows=turn.exclusion.allows,
        rng=turn.rng,
        noisy=contenders.noisy,
        outcomes=outcomes,
        satisfied=satisfied,
        highest=float(history.values[there].max(initial=-np.inf)),
        told=best.points[best.told][:CONTENDERS],
        least=LEAST_LOCAL_IMPROVEMENT,
        off=contenders.embedded_off,
    )
