"""Where `auto` looks next where there are several objectives: where the front is expected to grow most.

Notation: M objectives, the value the first; D coordinates, E embedded columns, k points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.hypervolume_improvement import LogHypervolumeImprovement, TradedObjective
from orchestrator.acquisition.mixture_improvement import LogMixtureImprovement
from orchestrator.acquisition.reason import reason
from orchestrator.acquisition.weighted_means import WeightedMeans
from orchestrator.algorithms.auto_search import Ground, explained
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.further_belief import FurtherBelief
from orchestrator.algorithms.mixture_belief import Member, MixtureBelief
from orchestrator.maximisers.coordinate_moves import changed_in_a_few
from orchestrator.maximisers.multistart import Effort, anything, maximise
from orchestrator.maximisers.within_box import Box
from orchestrator.numerics.pareto import non_dominated, undominated_boxes

FloatArray = NDArray[np.float64]

INCUMBENTS = 8
"""Points of the front that are climbed from, spread along it."""
MOST_SETTLED = 64
CHANGED, CHANGED_KEPT = 200, 4
SHARE_OF_THE_GIVEN_UP = 0.1
"""How much an objective counts for where a front ends by giving it up, beside the others, each by its
range along the front."""
MARGIN = 0.1
"""Of the range of an objective along the front: by so much the reference lies beyond its ends."""
SHARE_NEARBY, HALF_SIDES = 0.5, (0.05, 0.4)
"""Of the trials, those for the surroundings of a point of the front: of many parameters the models know least
in the corners, which would get all trials. The half-side of the box is drawn, evenly by its logarithm.
"""
OF_AN_END = Effort(samples=100, starts=4, iterations=20)


@dataclass(frozen=True, eq=False, slots=True)
class Tradable:
    """(k, D) ``points`` told that may be trade-offs, and their (k, M) ``values``, the more the better: as
    told, or as believed where they are noisy.
    """

    points: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class _Boxes:
    """(K, M) corners of what the front leaves, in the objectives' units."""

    lower: FloatArray
    upper: FloatArray

    def along(self, objective: int, member: Member, noise_variance: float) -> TradedObjective:
        """One objective, as a member sees it."""
        lower, upper = self.lower[:, objective], self.upper[:, objective]
        low, scale = member.scale.apply(lower), member.scale
        high = np.full(len(upper), np.inf)
        bounded = np.isfinite(upper)
        high[bounded] = scale.apply(upper[bounded])
        # Where a warp bends the scale, a unit of it is worth what the box's side is on both.
        log_units = -scale.log_slopes(lower)
        wide = bounded & (high > low)
        log_units[wide] = np.log((upper[wide] - lower[wide]) / (high[wide] - low[wide]))
        return TradedObjective(member.posterior, low, high, log_units, noise_variance)


@dataclass(frozen=True, eq=False, slots=True)
class _Ends:
    """(M, D) where the front is expected to end, each by giving up one objective, and the (M, M) values that
    are expected there.
    """

    points: FloatArray
    values: FloatArray


def along_the_front(
    belief: MixtureBelief, further: FurtherBelief, told: Tradable, ground: Ground
) -> Suggestion | None:
    """Where the mixture, and the models of the other objectives, expect the front to grow most, beside what
    runs; None if no point may be suggested.
    """
    domain = ground.domain
    leading = [belief.leader, *further.members]
    values = np.vstack([told.values, _expected(leading, domain.embed(ground.likely))])
    front = values[non_dominated(values)]
    ends = _ends(leading, front, ground)
    boxes = _Boxes(*undominated_boxes(front, _reference(front, ends, told)))
    best = told.points[_spread_along(told.values, INCUMBENTS)]
    settled = ground.running
    if ground.noisy:
        # What is noisy is not settled by being told: that it may be better than believed is no improvement.
        settled = np.vstack([told.points[_spread_along(told.values, MOST_SETTLED)], settled])
    settled = domain.embed(settled)
    with (
        belief.hallucinating(settled, without_noise=ground.noisy),
        further.hallucinating(settled, without_noise=ground.noisy),
        ground.hallucinating(),
    ):
        others = [
            boxes.along(number, member, _noise(member, ground))
            for number, member in enumerate(further.members, start=1)
        ]
        parts = [
            LogHypervolumeImprovement([boxes.along(0, member, _noise(member, ground)), *others])
            for member in belief.members
        ]
        acquisition = ground.where_feasible(LogMixtureImprovement(parts, np.log(belief.weights)))
        objective = Embedded(domain, acquisition)
        point = _nearby(objective, told, ground) if ground.rng.random() < SHARE_NEARBY else None
        if point is None:
            point = _anywhere(objective, np.vstack([best, ends.points]), ground)
        if point is None:
            return None
        X = domain.embed(point)
        why = reason(acquisition, X) | ground.chance(X) | {"search": "trade-offs"}
    if len(belief.members) == 1:
        why |= {"member": belief.leader.found.hypothesis.name}
    return explained(belief.leader, ground, point, why)


def _nearby(objective: Embedded, told: Tradable, ground: Ground) -> FloatArray | None:
    """The best (D,) point in a box about one of the front; None if none of it may be suggested."""
    front = told.points[non_dominated(told.values)]
    centre = front[ground.rng.integers(len(front))]
    half = np.exp(ground.rng.uniform(*np.log(HALF_SIDES)))
    box = Box.about(ground.domain, centre, np.full(ground.domain.dimension, half))
    return box.maximise(objective, centre[None, :], ground.allows, ground.rng)


def _anywhere(objective: Embedded, starts: FloatArray, ground: Ground) -> FloatArray | None:
    """The best (D,) point of all, climbed to from (k, D) among others; None if no point may be suggested."""
    changed = changed_in_a_few(ground.domain, starts, CHANGED, ground.rng)
    kept = np.argsort(-objective.values(changed), kind="stable")[:CHANGED_KEPT]
    incumbents = np.vstack([starts, changed[kept]])
    found = maximise(objective, ground.domain, incumbents, ground.allows, ground.rng)
    return None if found is None else found.point


def _ends(leading: Sequence[Member], front: FloatArray, ground: Ground) -> _Ends:
    """Of the (n, M) front that is known, by a member for each objective. Of points that are as good in all
    but the one that is given up, or nearly so, the end is the one that gives up least.
    """
    ranges = [np.ptp(member.scale.apply(told)) or 1.0 for member, told in zip(leading, front.T, strict=True)]
    points = []
    for number in range(len(leading)):
        shares = [SHARE_OF_THE_GIVEN_UP if other == number else 1.0 for other in range(len(leading))]
        weights = [float(share / along) for share, along in zip(shares, ranges, strict=True)]
        means = WeightedMeans([member.posterior for member in leading], weights)
        objective = Embedded(ground.domain, ground.where_feasible(means))
        found = maximise(objective, ground.domain, ground.best, anything, ground.rng, OF_AN_END)
        assert found is not None
        points.append(found.point)
    ends = np.array(points)
    return _Ends(ends, _expected(leading, ground.domain.embed(ends)))


def _expected(leading: Sequence[Member], X: FloatArray) -> FloatArray:
    """(k, M) of what is expected at (k, E) inputs, in the objectives' units."""
    return np.column_stack([member.expected(X) for member in leading])


def _reference(front: FloatArray, ends: _Ends, told: Tradable) -> FloatArray:
    """(M,) below which no objective is worth anything: not what the front has reached so far but what its
    ends are expected to be, so that it grows towards them, and no trial is spent on giving up more than that
    for next to nothing. They are not believed to lie beyond the worst that was told.
    """
    worst = np.maximum(ends.values.min(axis=0), told.values.min(axis=0))
    best = np.maximum(front.max(axis=0), ends.values.max(axis=0))
    alike = best <= worst
    best[alike] = worst[alike] + _spread(told.values)[alike]
    return np.asarray(worst - MARGIN * (best - worst))


def _noise(member: Member, ground: Ground) -> float:
    return member.noise_variance if ground.noisy else 0.0


def _spread(values: FloatArray) -> FloatArray:
    """(M,) deviations of (k, M) values, and 1 where they are all alike."""
    deviation = values.std(axis=0)
    return np.where(deviation > 0.0, deviation, 1.0)


def _spread_along(values: FloatArray, most: int) -> NDArray[np.intp]:
    """The numbers of so many, at most, of the front of (k, M) values: its ends by the first, and between."""
    front = np.flatnonzero(non_dominated(values))
    order = front[np.argsort(values[front, 0], kind="stable")]
    places = np.linspace(0, len(order) - 1, min(most, len(order)))
    chosen: Sequence[int] = np.unique(np.rint(places).astype(int)).tolist()
    return np.asarray(order[chosen])
