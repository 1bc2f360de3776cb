"""Where `auto` looks next where there are several objectives: where the front is expected to grow most.

Notation: M objectives, the value the first; D coordinates, E embedded columns, k points, K boxes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.hypervolume_improvement import LogHypervolumeImprovement, TradedObjective
from orchestrator.acquisition.mixture_improvement import LogMixtureImprovement
from orchestrator.acquisition.posterior import Acquisition, Function
from orchestrator.acquisition.reason import reason
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.algorithms.mixture.front_ends import AT_ANY_PRICE, WITHIN_REASON, Ends, Tradable, expected
from orchestrator.algorithms.mixture.further_belief import FurtherBelief
from orchestrator.algorithms.mixture.ground import Ground
from orchestrator.algorithms.mixture.proposal import explained
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.maximisers.boxes.within_box import Box
from orchestrator.maximisers.climbs.coordinate_moves import changed_in_a_few
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.numerics.pareto import non_dominated, undominated_boxes

INCUMBENTS = 8
"""Points of the front that are climbed from, spread along it."""
MOST_SETTLED = 64
"""Points of the front that count as done, where values are noisy."""
CHANGED, CHANGED_KEPT = 200, 4
"""Of so many points that differ from those in a few coordinates so many are climbed from as well."""
SHARE_NEARBY, HALF_SIDES = 0.5, (0.05, 0.4)
"""Of the trials, those for the surroundings of a point of the front: of many parameters the models know least
in the corners, which would get all trials. The half-side of the box is drawn, evenly by its logarithm.
"""


@dataclass(frozen=True, eq=False)
class _Boxes:
    """(K, M) corners of what the front leaves, in the objectives' units."""

    lower: FloatArray
    upper: FloatArray

    def along(self, objective: int, member: Member, ground: Ground) -> TradedObjective:
        """One objective, as a member sees it."""
        lower, upper, scale = self.lower[:, objective], self.upper[:, objective], member.scale
        low, high = scale.apply(lower), np.full(len(upper), np.inf)
        bounded = np.isfinite(upper)
        high[bounded] = scale.apply(upper[bounded])
        # Where a warp bends the scale, a unit of it is worth what the box's side is on both.
        log_units = -scale.log_slopes(lower)
        wide = bounded & (high > low)
        log_units[wide] = np.log((upper[wide] - lower[wide]) / (high[wide] - low[wide]))
        noise = member.noise_variance if ground.noisy else 0.0
        return TradedObjective(member.posterior, low, high, log_units, noise)

    def improvement(self, belief: MixtureBelief, further: FurtherBelief, ground: Ground) -> Acquisition:
        """What a point is expected to add: the mixture's, of the hypervolume."""
        others = [self.along(1 + i, member, ground) for i, member in enumerate(further.members)]
        parts = [
            LogHypervolumeImprovement([self.along(0, member, ground), *others]) for member in belief.members
        ]
        return LogMixtureImprovement(parts, np.log(belief.weights))


def along_the_front(
    belief: MixtureBelief, further: FurtherBelief, told: Tradable, ground: Ground
) -> Suggestion | None:
    """Where the mixture, and the models of the other objectives, expect the front to grow most, beside what
    runs: about one of its points, or anywhere. None if no point may be suggested.
    """
    domain = ground.domain
    leading = [belief.leader, *further.members]
    values = np.vstack([told.values, expected(leading, domain.embed(ground.likely))])
    front = values[non_dominated(values)]
    best = told.points[_along(told.values, INCUMBENTS)]
    nearby = bool(ground.rng.random() < SHARE_NEARBY)
    ends = Ends.expected_by(leading, told, best, ground, WITHIN_REASON if nearby else AT_ANY_PRICE)
    boxes = _Boxes(*undominated_boxes(front, ends.reference(front, told, beyond=not nearby)))
    settled = _settled(told, ground)
    with (
        belief.hallucinating(settled, without_noise=ground.noisy),
        further.hallucinating(settled, without_noise=ground.noisy),
        ground.hallucinating(),
    ):
        acquisition = ground.as_it_counts(boxes.improvement(belief, further, ground))
        objective = Embedded(domain, acquisition)
        point = _nearby(objective, told, ground) if nearby else None
        nearby = point is not None
        if point is None:
            promising = [] if ground.promising is None else [ground.promising]
            starts = np.vstack([best, ends.points, *promising, ground.said])
            point = _anywhere(ground.leaning_to(objective), starts, ground)
        if point is None:
            return None
        X = domain.embed(point)
        why = reason(acquisition, X) | ground.chance(X) | {"search": "nearby" if nearby else "front"}
    if len(belief.members) == 1:
        why |= {"member": belief.leader.found.hypothesis.name}
    suggestion = explained(belief.leader, ground, point, why)
    return replace(suggestion, further=[member.predicted(X) for member in further.members])


def among_promised(ground: Ground, cheap: Tradable | None) -> Ground:
    """The same, with the front of what cheap trials promise to climb from as well."""
    promising = None if cheap is None else cheap.points[_along(cheap.values, INCUMBENTS)]
    return replace(ground, promising=promising)


def _settled(told: Tradable, ground: Ground) -> FloatArray:
    """(k, E) that count as done: what runs, and, where values are noisy, the front, which being told does not
    settle. That it may be better than believed is no improvement.
    """
    if not ground.noisy or told.moved:
        # Where parameters are held, the front is only believed in.
        return ground.domain.embed(ground.running)
    front = told.points[_along(told.values, MOST_SETTLED)]
    return ground.domain.embed(np.vstack([front, ground.running]))


def _nearby(objective: Embedded, told: Tradable, ground: Ground) -> FloatArray | None:
    """The best (D,) point in a box about one of the front; None if none of it may be suggested."""
    front = told.points[non_dominated(told.values)]
    centre = front[ground.rng.integers(len(front))]
    half = np.exp(ground.rng.uniform(*np.log(HALF_SIDES)))
    box = Box.about(ground.domain, centre, np.full(ground.domain.dimension, half))
    return box.maximise(objective, centre[None, :], ground.allows, ground.rng)


def _anywhere(objective: Function, starts: FloatArray, ground: Ground) -> FloatArray | None:
    """The best (D,) point of all, climbed to from (k, D) among others; None if no point may be suggested."""
    changed = changed_in_a_few(ground.domain, starts, CHANGED, ground.rng)
    kept = np.argsort(-objective.values(changed), kind="stable")[:CHANGED_KEPT]
    incumbents = np.vstack([starts, changed[kept]])
    found = maximise(objective, ground.domain, incumbents, ground.allows, ground.rng)
    return None if found is None else found.point


def _along(values: FloatArray, most: int) -> IndexArray:
    """The numbers of so many, at most, of the front of (k, M) values: its ends by the first, and between."""
    front = np.flatnonzero(non_dominated(values))
    order = front[np.argsort(values[front, 0], kind="stable")]
    places = np.linspace(0, len(order) - 1, min(most, len(order)))
    return np.asarray(order[np.unique(np.rint(places).astype(int))])
