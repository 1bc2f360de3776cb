"""Which points are best where settings are off by a little: among those tried, and anywhere.

Notation: D parameters, k points, f failures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.sensitivity.tolerated import Behaviour, Tolerated
from orchestrator.unit_cube.domain import Domain

ENOUGH = 0.95
"""How likely a point has to be to satisfy the constraints; then its value decides."""
AS_LIKELY = 0.75
"""As the likeliest of those tried is to succeed as set, where any fail: a point that is so likely to counts
as one that does. By chance some fail wherever they are, and what is learned of that differs by less.
"""
GLANCED, FEW_WAYS, MANY_WAYS = 8, 32, 256
MOST_TRIED, SURELY_NOT = 2048, 0.5
"""Of more points tried, so many are looked at in more ways than a glance takes, whose average is best there:
any but those that satisfy the constraints in less than this share of so few ways.
"""
SPREAD_OUT = 1024
"""Points looked at everywhere, each in a few ways to be off."""
NEAR, LOOKS = 10, 2048
"""Of so many good points the neighbourhood is searched next, each with so many looks: points times ways."""
STAGES = ((0.1, FEW_WAYS), (0.03, FEW_WAYS), (0.03, MANY_WAYS), (0.01, MANY_WAYS), (0.003, MANY_WAYS))
"""How far from them, in shares of each parameter's range, and in how many ways."""
FINALISTS = 40


@dataclass(frozen=True, eq=False, slots=True)
class LeastAffected:
    """How the point that is best as set behaves, which is ``tried[best]``; how the best of those tried does,
    ``tried[among_tried]``; and the best one ``anywhere``, by the models.
    """

    best: int
    as_set: Behaviour
    among_tried: int
    of_tried: Behaviour
    anywhere: Behaviour


def least_affected(
    tolerated: Tolerated,
    domain: Domain,
    tried: FloatArray,
    failed: FloatArray,
    best: int | None,
    rng: np.random.Generator,
) -> LeastAffected:
    """Of (k, D) points that were tried, one at least, and of a domain; the ``best`` of them as set is told,
    or None where that, too, is for the models to say. What ``failed``, (f, D), is no answer unless it was
    tried with success, too.

    A point is better the likelier it is to satisfy the constraints on outcomes, up to `ENOUGH`, and beyond
    that the better its average is. Where evaluations fail, it also has to be `AS_LIKELY` to succeed. Anywhere
    is looked at random, and then ever closer about the best.
    """
    likely = AS_LIKELY / ENOUGH * float(tolerated.chances(tried).max())
    drawn = {ways: tolerated.drawn(ways, rng) for ways in (FEW_WAYS, MANY_WAYS)}
    closely = drawn[MANY_WAYS]
    if best is None:
        as_set = np.full((1, closely.shape[1]), 0.5)
        best = int(_order(tolerated, tried, as_set, likely)[0])
    first = _glanced_at(tolerated, tried, drawn[FEW_WAYS][:GLANCED], likely)
    first = first[_order(tolerated, tried[first], drawn[FEW_WAYS], likely)[:FINALISTS]]
    among = int(first[_order(tolerated, tried[first], closely, likely)[0]])
    pool = np.vstack([tried[first], _without(failed, domain.sample(SPREAD_OUT, rng))])
    good = pool[_order(tolerated, pool, drawn[FEW_WAYS], likely)[:NEAR]]
    for distance, ways in STAGES:
        about = _about(good, domain, distance, LOOKS // ways, rng)
        pool = np.vstack([tried[[among]], good, _without(failed, about)])
        good = pool[_order(tolerated, pool, drawn[ways], likely)[:NEAR]]
    return LeastAffected(
        best,
        tolerated.behaviour(tried[best], closely),
        among,
        tolerated.behaviour(tried[among], closely),
        tolerated.behaviour(good[0], closely),
    )


def _glanced_at(tolerated: Tolerated, tried: FloatArray, drawn: FloatArray, likely: float) -> IndexArray:
    """Ascending, which of many points that were tried are to be looked at; of fewer, all."""
    if len(tried) <= MOST_TRIED:
        return np.arange(len(tried))
    return np.sort(_order(tolerated, tried, drawn, likely, SURELY_NOT)[:MOST_TRIED])


def _order(
    tolerated: Tolerated, points: FloatArray, drawn: FloatArray, likely: float, enough: float = ENOUGH
) -> IndexArray:
    """The best first, by a glance at each; one that is so ``likely`` to succeed counts as sure to."""
    average, satisfied, succeeds = tolerated.roughly(points, drawn)
    holds = satisfied * np.minimum(succeeds / likely, 1.0)
    return np.lexsort((-tolerated.sign * average, -np.minimum(holds, enough)))


def _without(failed: FloatArray, points: FloatArray) -> FloatArray:
    """Those of the points that are none which failed."""
    places = {point.tobytes() for point in failed}
    return points[[point.tobytes() not in places for point in points]]


def _about(
    points: FloatArray, domain: Domain, distance: float, each: int, rng: np.random.Generator
) -> FloatArray:
    """Points of the domain near some, at most so many near ``each``, which differ in what can be climbed."""
    near = np.repeat(points, each, axis=0)
    moved = near + distance * domain.is_climbed * rng.standard_normal(near.shape)
    rounded = domain.rounded(moved)
    return rounded[domain.feasible(rounded)]
