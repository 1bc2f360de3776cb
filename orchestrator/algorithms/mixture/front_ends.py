"""Where a front of several objectives is expected to end, and what therefore is worth nothing.

Notation: M objectives, the value the first; D coordinates, E embedded columns, k points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.weighted_means import WeightedMeans
from orchestrator.algorithms.gaussian_process.believed_best import Believed, Mean
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Member
from orchestrator.algorithms.mixture.further_belief import FurtherBelief
from orchestrator.algorithms.mixture.ground import Ground
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import Effort, anything, maximise
from orchestrator.unit_cube.domain import Domain

WITHIN_REASON, AT_ANY_PRICE = 0.1, 0.01
"""How much an objective counts for where a front ends by giving it up, beside the others."""
MARGIN = 0.1
"""Of the range of an objective along the front: by so much what is worth nothing lies beyond the worst."""
MOST = 256
"""Results at less than full fidelity that are looked at for what they promise there."""
EFFORT = Effort(samples=200, starts=6)
"""Of each climb to an end, of which there are several: less than is usual."""


@dataclass(frozen=True, eq=False, slots=True)
class Tradable:
    """(k, D) ``points`` told that may be trade-offs, and their (k, M) ``values``, the more the better: as
    told, or as believed where they are noisy. ``moved``: they were told elsewhere, some of them, and are only
    believed in.
    """

    points: FloatArray
    values: FloatArray
    moved: bool = False

    @classmethod
    def among(cls, history: History, further: FurtherBelief, domain: Domain, believed: Believed) -> Tradable:
        """Of the results told; ``believed`` is what the value is judged by where results are noisy."""
        rows = history.tradable_rows()
        rows = rows[further.unpunished(history.further[rows])]
        points = history.points[rows]
        if believed is None or not len(points):
            return cls(points, np.column_stack([history.values[rows], history.further[rows]]))
        return cls(points, np.column_stack([believed(points), further.expected(domain.embed(points))]))

    def where_held(self, part: Domain, further: FurtherBelief, mean: Mean) -> Tradable:
        """Those told, of which there must be some, moved to where parameters are as they are held in a part
        of the domain, and what is believed of them there.
        """
        points = np.unique(part.snap(self.points), axis=0)
        values = np.column_stack([mean(points), further.expected(part.embed(points))])
        return Tradable(points, values, moved=True)

    @classmethod
    def promised(cls, part: Domain, history: History, further: FurtherBelief, mean: Mean) -> Tradable | None:
        """What was told at less than full fidelity, moved to where that is, and what is believed of it there:
        of the last results, at most; None if there are none.
        """
        known = ~np.isnan(history.values) & further.unpunished(history.further)
        cheap = np.flatnonzero(known & ~history.full)[-MOST:]
        if not len(cheap):
            return None
        held = part.snap(history.points[cheap])
        return cls(held, np.empty((len(held), 0))).where_held(part, further, mean)

    @property
    def spread(self) -> FloatArray:
        """(M,) deviations of the values, and 1 where they are all alike."""
        deviation = self.values.std(axis=0)
        return np.where(deviation > 0.0, deviation, 1.0)


@dataclass(frozen=True, eq=False, slots=True)
class Ends:
    """(k, D) ``points`` where the front is expected to end, by giving up an objective or more, and the (k, M)
    ``values`` that are expected there.
    """

    points: FloatArray
    values: FloatArray

    @classmethod
    def expected_by(
        cls, members: Sequence[Member], told: Tradable, starts: FloatArray, ground: Ground, share: float
    ) -> Ends:
        """By a member for each objective, climbed to from (k, D) starts among others. Of points that are as
        good in what counts, or nearly so, the end is the one that gives up least of the rest, which counts
        for a ``share``.
        """
        domain = ground.domain
        # What is much to give up is not known before the ends are: it is measured by the range of all values,
        # which some that are far off may stretch, and then by how far it is from one end to another.
        own = [member.scale.apply(values) for member, values in zip(members, told.values.T, strict=True)]
        ranges = np.array([float(np.ptp(values)) or 1.0 for values in own])
        for _ in range(2):
            points = []
            for shares in _shares(len(members), share):
                means = WeightedMeans([member.posterior for member in members], (shares / ranges).tolist())
                objective = Embedded(domain, ground.where_feasible(means))
                found = maximise(objective, domain, starts, anything, ground.rng, EFFORT)
                assert found is not None
                points.append(found.point)
            X = domain.embed(np.array(points))
            along = np.ptp([member.posterior.mean_at(X) for member in members], axis=1)
            ranges = np.where(along > 0.0, along, ranges)
        return cls(np.array(points), expected(members, X))

    def reference(self, front: FloatArray, told: Tradable, *, beyond: bool) -> FloatArray:
        """(M,) below which no objective is worth anything, for a (k, M) front that is known.

        What the front has reached so far is not what it will: it grows towards its ends only if these are
        worth something. They are not believed to lie beyond the worst that was told. ``beyond``: all that the
        front has reached is worth something too, such as what gives up much for next to nothing.
        """
        worst = np.maximum(self.values.min(axis=0), told.values.min(axis=0))
        if beyond:
            worst = np.minimum(worst, front.min(axis=0))
        best = np.maximum(front.max(axis=0), self.values.max(axis=0))
        return np.asarray(worst - MARGIN * np.where(best > worst, best - worst, told.spread))


def expected(members: Sequence[Member], X: FloatArray) -> FloatArray:
    """(k, M) of what is expected at (k, E) inputs, in the objectives' units."""
    return np.column_stack([member.expected(X) for member in members])


def _shares(objectives: int, share: float) -> FloatArray:
    """(k, M) how much each objective counts for at each end: of two it is the best of one, of more also the
    best of all but one.
    """
    own = np.eye(objectives, dtype=bool)
    alone, without = np.where(own, 1.0, share), np.where(own, share, 1.0)
    return alone if objectives == 2 else np.vstack([alone, without])
