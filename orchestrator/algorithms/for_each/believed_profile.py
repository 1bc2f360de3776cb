"""What a mixture believes of the best settings in each condition, and what an evaluation would add to that.

Notation: D coordinates, m conditions, k designs, q conditions to evaluate in, A places of each condition; M
members.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.profile_gain import NOTHING, profile_gains
from orchestrator.algorithms.for_each.grounds import Grounds, Score
from orchestrator.algorithms.for_each.of_designs import OfDesigns
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.surrogates.posteriors.at_many_points import AT_A_TIME, means, parts
from orchestrator.surrogates.posteriors.at_points import AtPoints, at_points

ANYWHERE, MOST_KNOWN = 128, 48
"""Designs among which the best is looked for: drawn anywhere, and of those tried."""
RIVALS = 2
"""Places of each condition that may be better than the best one, as most improvement is expected there."""
MOST_DESIGNS = 48
"""Of which it is asked what an evaluation would add."""
MOST_MEMBERS, ENOUGH = 4, 0.97
"""The likeliest hypotheses count: so many, or those that together are so likely."""
ROUNDING = 1e-8
"""Beside the noise of an evaluation, standardised: what is known to so much is not looked for."""
PROBE = 0.25
"""So far to either side of the best mean, in standardised units, it is looked what a unit is worth."""


@dataclass(frozen=True, eq=False, slots=True)
class _Seen:
    """By one member: the m places that are the ``highest`` (m,) of their conditions, and the m (A - 1)
    ``others``, which are ``behind`` (m, A - 1) by so much; and (m,) what a unit counts for.
    """

    member: Member
    first: AtPoints
    others: AtPoints
    highest: FloatArray
    behind: FloatArray
    units: FloatArray


@dataclass(frozen=True, eq=False)
class BelievedProfile:
    """``best`` (m, D) are the settings believed best in each condition, where there are feasible ones;
    ``designs`` (k, D) those that may be worth an evaluation.
    """

    grounds: Grounds
    best: FloatArray
    designs: FloatArray
    seen: tuple[_Seen, ...]

    @classmethod
    def of(
        cls,
        belief: MixtureBelief,
        grounds: Grounds,
        known: FloatArray,
        succeeds: Score | None,
        rng: np.random.Generator,
    ) -> BelievedProfile:
        """By a belief; (t, D) ``known`` are points tried, the better ones first; ``succeeds`` has logarithms
        of how likely evaluations succeed, of embedded points, where some failed.
        """
        domain, leader = grounds.domain, belief.leader.posterior

        def worth(points: FloatArray) -> FloatArray:
            X = domain.embed(points)
            return means(leader, X) if succeeds is None else means(leader, X) + succeeds(X)

        designs = grounds.designs(np.vstack([_some(known, rng), domain.sample(ANYWHERE, rng)]))
        drawn = OfDesigns.by(leader, grounds, designs)
        reached = np.where(drawn.feasible, drawn.means, -np.inf)
        if succeeds is not None:
            reached += grounds.scores(lambda points: succeeds(domain.embed(points)), drawn.points)
        best, reached = grounds.climbed(worth, drawn.points, reached, rng)
        counts = np.isfinite(reached)
        found = OfDesigns.by(leader, grounds, grounds.designs(best)).and_others(drawn)
        scores = found.log_improvement(leader.mean_at(domain.embed(best)), ROUNDING)
        order = np.argsort(-scores, axis=0, kind="stable")[:RIVALS]
        rivals = found.points[order, np.arange(len(best))]
        places = np.concatenate([best[None], rivals])
        most = np.argsort(-(scores + np.log(grounds.in_use.weights)).max(axis=1), kind="stable")
        chosen = np.vstack([found.designs[most[: MOST_DESIGNS // 2]], rivals[0], best])
        chosen = grounds.designs(chosen)[:MOST_DESIGNS]
        seen = tuple(
            _seen_by(member, weight, grounds, places, counts) for member, weight in likeliest(belief)
        )
        return cls(grounds, best, chosen, seen)

    def log_gains(self, designs: FloatArray, conditions: FloatArray) -> FloatArray:
        """(k, q) logarithms of what an evaluation of each of (k, D) designs in each of (q, C) conditions is
        expected to add to the value believed best, on average over the conditions, in the objective's units.
        """
        some_designs = parts(len(designs), max(1, AT_A_TIME // len(self.best)))
        gains = np.vstack([self._gains(designs[some], conditions) for some in some_designs])
        return np.asarray(np.log(np.maximum(gains, NOTHING)))

    def _gains(self, designs: FloatArray, conditions: FloatArray) -> FloatArray:
        """(k, q) the same, not as logarithms."""
        domain, in_use = self.grounds.domain, self.grounds.in_use
        k, q = len(designs), len(conditions)
        everywhere = self.grounds.points(designs)
        allowed = self.grounds.feasible(everywhere)
        Y = domain.embed(everywhere.reshape(-1, domain.dimension))
        if np.array_equal(conditions, in_use.points):
            Z = Y
        else:
            evaluated = np.repeat(designs, q, axis=0)
            evaluated[:, list(in_use.coordinates)] = np.tile(conditions, (k, 1))
            Z = domain.embed(evaluated)
        gains = np.sum([_gains_by(seen, Z, Y, allowed) for seen in self.seen], axis=0)
        return np.asarray(gains).reshape(k, q)


def _gains_by(seen: _Seen, Z: FloatArray, Y: FloatArray, allowed: BoolArray) -> FloatArray:
    """(k q,) by one member, of evaluations at (k q, E) ``Z``; ``Y`` (k m, E) are the designs in all
    conditions, in which (k, m) are ``allowed``. Where both are the same, nothing is computed twice.
    """
    k, m = allowed.shape
    posterior = seen.member.drawable
    everywhere = at_points(posterior, Y)
    evaluated = everywhere if Z is Y else at_points(posterior, Z)
    noise = seen.member.noise_variance + seen.member.unresolved_variance + ROUNDING
    deviation = np.sqrt(evaluated.variances + noise)
    own = evaluated.covariances(everywhere, k).reshape(len(Z), m, 1)
    of_others = seen.others.covariances(evaluated)[0].T.reshape(len(Z), m, -1)
    moves = np.concatenate([own, of_others], axis=2) - seen.first.covariances(evaluated)[0].T[:, :, None]
    behind = np.where(allowed, seen.highest - everywhere.means.reshape(k, m), np.inf)
    behind = np.repeat(behind, len(Z) // k, axis=0)[:, :, None]
    behind = np.concatenate([behind, np.broadcast_to(seen.behind, of_others.shape)], axis=2)
    return np.asarray(profile_gains(behind, moves / deviation[:, None, None]) @ seen.units)


def _some(known: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Half of them the best, which may all be of the conditions in which values are high, and others."""
    if len(known) <= MOST_KNOWN:
        return known
    half = MOST_KNOWN // 2
    others = rng.choice(np.arange(half, len(known)), MOST_KNOWN - half, replace=False)
    return np.vstack([known[:half], known[np.sort(others)]])


def likeliest(belief: MixtureBelief) -> list[tuple[Member, float]]:
    """Members that count, with what they count for: 1 together."""
    order = np.argsort(-belief.weights, kind="stable")
    weights = belief.weights[order]
    count = min(MOST_MEMBERS, int(np.searchsorted(np.cumsum(weights), ENOUGH)) + 1)
    kept = order[:count]
    shares = belief.weights[kept] / belief.weights[kept].sum()
    return [(belief.members[i], float(share)) for i, share in zip(kept, shares, strict=True)]


def _seen_by(member: Member, weight: float, grounds: Grounds, places: FloatArray, counts: BoolArray) -> _Seen:
    """Of (A, m, D) places, those believed best first."""
    X = grounds.domain.embed(places.transpose(1, 0, 2).reshape(-1, places.shape[2]))
    X = X.reshape(len(counts), len(places), -1)
    believed = means(member.posterior, X.reshape(-1, X.shape[2])).reshape(X.shape[:2])
    first = believed.argmax(axis=1)
    highest = believed.max(axis=1)
    is_other = np.arange(len(places)) != first[:, None]
    up, middle, down = (member.scale.undo(highest + side * PROBE) for side in (1.0, 0.0, -1.0))
    worth = np.minimum(up - middle, middle - down) / PROBE
    shares = np.where(counts, grounds.in_use.weights, 0.0)
    return _Seen(
        member,
        at_points(member.drawable, X[~is_other]),
        at_points(member.drawable, X[is_other]),
        highest,
        highest[:, None] - believed[is_other].reshape(len(counts), -1),
        weight * worth * shares / shares.sum(),
    )
