"""What a mixture believes of the best settings in each condition, and what an evaluation would add to that.

Notation: D coordinates, m conditions, k designs, q conditions to evaluate in, A places of each condition; M
members.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.profile_gain import NOTHING, profile_gains
from orchestrator.algorithms.for_each.grounds import Grounds, Score
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.numerics import normal
from orchestrator.surrogates.posteriors.covariances_with import CovariancesWith, covariances_with

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
    """By one member: ``covariances`` with the m A places, (m, A) by how much these are ``behind`` the best of
    their condition, whose number is ``first``, and (m,) what a unit counts for.
    """

    member: Member
    covariances: CovariancesWith
    highest: FloatArray
    behind: FloatArray
    first: IndexArray
    units: FloatArray


@dataclass(frozen=True, eq=False)
class BelievedProfile:
    """``best`` (m, D) are the settings believed best in each condition, where there are feasible ones, which
    ``counts`` (m,) says; ``designs`` (k, D) those that may be worth an evaluation.
    """

    grounds: Grounds
    best: FloatArray
    counts: BoolArray
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
            return leader.mean_at(X) if succeeds is None else leader.mean_at(X) + succeeds(X)

        designs = np.vstack([_some(known, rng), domain.sample(ANYWHERE, rng)])
        best, reached = grounds.best(worth, designs, rng)
        counts = np.isfinite(reached)
        designs = _each_once(grounds.in_use.as_designs(np.vstack([best, designs])))
        points = grounds.points(designs)
        mean, variance = (
            one.reshape(points.shape[:2])
            for one in leader.mean_and_variance(domain.embed(points.reshape(-1, domain.dimension)))
        )
        deviation = np.sqrt(variance + ROUNDING)
        over = leader.mean_at(domain.embed(best))
        scores = np.log(deviation) + normal.log_h((mean - over) / deviation)
        scores = np.where(grounds.feasible(points), scores, -np.inf)
        order = np.argsort(-scores, axis=0, kind="stable")[:RIVALS]
        rivals = points[order, np.arange(len(best))]
        places = np.concatenate([best[None], rivals])
        most = np.argsort(-(scores + np.log(grounds.in_use.weights)).max(axis=1), kind="stable")
        chosen = np.vstack([designs[most[: MOST_DESIGNS // 2]], rivals[0], best])
        chosen = _each_once(grounds.in_use.as_designs(chosen))[:MOST_DESIGNS]
        seen = tuple(
            _seen_by(member, weight, grounds, places, counts) for member, weight in likeliest(belief)
        )
        return cls(grounds, best, counts, chosen, seen)

    def log_gains(self, designs: FloatArray, conditions: FloatArray) -> FloatArray:
        """(k, q) logarithms of what an evaluation of each of (k, D) designs in each of (q, C) conditions is
        expected to add to the value believed best, on average over the conditions, in the objective's units.
        """
        domain, coordinates = self.grounds.domain, list(self.grounds.in_use.coordinates)
        k, q = len(designs), len(conditions)
        evaluated = np.repeat(designs, q, axis=0)
        evaluated[:, coordinates] = np.tile(conditions, (k, 1))
        everywhere = self.grounds.points(designs)
        allowed = self.grounds.feasible(everywhere)
        Z, Y = domain.embed(evaluated), domain.embed(everywhere.reshape(-1, domain.dimension))
        gains = np.sum([self._gains(seen, Z, Y, allowed) for seen in self.seen], axis=0)
        return np.asarray(np.log(np.maximum(gains, NOTHING)).reshape(k, q))

    def _gains(self, seen: _Seen, Z: FloatArray, Y: FloatArray, allowed: BoolArray) -> FloatArray:
        """(k q,) by one member."""
        k, m = allowed.shape
        q = len(Z) // k
        posterior = seen.member.posterior
        noise = seen.member.noise_variance + seen.member.unresolved_variance + ROUNDING
        deviation = np.sqrt(posterior.mean_and_variance(Z)[1] + noise)
        own = np.vstack(
            [
                covariances_with(seen.member.drawable, Y[i * m : (i + 1) * m]).matrix(Z[i * q : (i + 1) * q])
                for i in range(k)
            ]
        )
        at_places = seen.covariances.matrix(Z).reshape(len(Z), *seen.behind.shape)
        of_best = at_places[:, np.arange(m), seen.first]
        moves = np.concatenate([own[:, :, None], at_places], axis=2) - of_best[:, :, None]
        behind = np.where(allowed, seen.highest - posterior.mean_at(Y).reshape(k, m), np.inf)
        behind = np.concatenate(
            [np.repeat(behind, q, axis=0)[:, :, None], np.broadcast_to(seen.behind, at_places.shape)], axis=2
        )
        return np.asarray(profile_gains(behind, moves / deviation[:, None, None]) @ seen.units)


def _some(known: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Half of them the best, which may all be of the conditions in which values are high, and others."""
    if len(known) <= MOST_KNOWN:
        return known
    half = MOST_KNOWN // 2
    others = rng.choice(np.arange(half, len(known)), MOST_KNOWN - half, replace=False)
    return np.vstack([known[:half], known[np.sort(others)]])


def _each_once(designs: FloatArray) -> FloatArray:
    """In their order."""
    _, first = np.unique(designs, axis=0, return_index=True)
    return designs[np.sort(first)]


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
    means = member.posterior.mean_at(X).reshape(places.shape[1], places.shape[0])
    first = means.argmax(axis=1)
    highest = means.max(axis=1)
    up, middle, down = (member.scale.undo(highest + side * PROBE) for side in (1.0, 0.0, -1.0))
    worth = np.minimum(up - middle, middle - down) / PROBE
    shares = np.where(counts, grounds.in_use.weights, 0.0)
    return _Seen(
        member,
        covariances_with(member.drawable, X),
        highest,
        highest[:, None] - means,
        first,
        weight * worth * shares / shares.sum(),
    )
