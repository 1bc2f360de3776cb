"""How much better the objective may still become: the distribution of max f - f(best point).

Functions are drawn from the posterior, and each is maximised: climbed from where it is highest among points
from everywhere and from about the best ones known. What a draw rises above its own value at the best point
would be gained by a search that found its maximum. Nothing is said of how many evaluations that takes.

Where evaluations may fail, whether they do is drawn, too, as a chance of success at each place: what a draw
rises above its value at the best point counts for as much as it is likely to be had.

Where each of several conditions has a best point of its own, every draw is maximised in each of these, and
gains what it does there on average.

Where it errs: a maximum that no start leads to is missed, which makes the gain too small; so does a model too
sure of its hyperparameters. `benchmarks/gain_calibration.py` measures both together.

Notation: M members, S draws, D coordinates, E embedded columns, k incumbents, p points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import MixtureBelief
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.maximisers.climbs.drawn_maxima import maxima
from orchestrator.surrogates.draws.drawn_functions import DrawnFunctions, FeatureFunctions
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.draws.weighed_functions import WeighedFunctions
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain

DrawnFrom: TypeAlias = ExactGP | RandomFeatureModel
"""A posterior that many functions can be drawn from together."""

FEWEST_RESULTS_FOR_EACH_PARAMETER = 2
DRAWS = 64
# Draws that share their frequencies: fewer are cheaper, and err together.
DRAWS_TOGETHER = 16
# By how many a function drawn from an exact process is expressed.
FREQUENCIES = 512
# Among so many points from everywhere, and about the best one, a climb's starts are chosen; the latter lie
# deviations away that are as long as these, in the unit cube.
SAMPLES, NEARBY = 1000, 200
NEARBY_SCALES = (0.1, 0.03, 0.01)
# Of where a logarithm of what values lack of the best begins to count. On the six-hump camel 1.5 to 35 times
# as much was left as draws said that rose by two fifths of it and more, and at most twice as much as those
# said that rose by less than a fifth.
REACH = 0.25


def can_be_foreseen(history: History, domain: Domain) -> bool:
    """Whether two values for each parameter have been told: from fewer, hyperparameters are guesses."""
    return history.successes >= FEWEST_RESULTS_FOR_EACH_PARAMETER * domain.dimension


def is_learned(draws: Sequence[float], scale: Standardisation, values: FloatArray) -> bool:
    """Whether ``draws`` of what is left to gain say how much that is, where (n,) ``values`` were told.

    A logarithm of what values lack of the best takes what is above it for about as far off as where it begins
    to count, whatever is there: only a rise by much less was learned of results.
    """
    warp = scale.warp
    if warp is None or not warp.counts_from_best(values):
        return True
    return float(np.mean(draws)) <= REACH * warp.spread


@dataclass(frozen=True, eq=False, slots=True)
class Foreseen:
    """What is believed of an objective, as a mixture to draw functions from.

    ``posteriors``: M members over a domain's embedded inputs: exact with a kernel that `PathwiseFunctions`
    draws from, or random-feature models; all on values standardised by ``scale``, in the sense of
    maximisation. ``weights``: (M,) at least 0, not all 0. ``success``: whether evaluations succeed, if any
    may fail.
    """

    posteriors: Sequence[DrawnFrom]
    weights: Sequence[float]
    scale: Standardisation
    success: SuccessBelief | None = None

    @classmethod
    def by(cls, belief: MixtureBelief, success: SuccessBelief | None) -> Foreseen | None:
        """By those members of a mixture that see the values as the leader does. None where the leader sees
        detail that it does not resolve: how high that goes is anybody's guess.
        """
        leader = belief.leader
        if leader.unresolved_variance:
            return None
        weighed = zip(belief.members, belief.weights, strict=True)
        alike = [(m.drawable, float(weight)) for m, weight in weighed if m.scale == leader.scale]
        posteriors, weights = zip(*alike, strict=True)
        return cls(posteriors, weights, leader.scale, success)


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """A ``domain`` with (k, D) ``incumbents``, k >= 1, feasible points of it that were evaluated: that with
    the highest posterior mean is the one to be improved on (give one point to have it be that). What is
    gained in it counts ``share``.
    """

    domain: Domain
    incumbents: FloatArray
    share: float = 1.0


def remaining_gain(
    foreseen: Foreseen, domain: Domain, incumbents: FloatArray, rng: np.random.Generator
) -> tuple[float, ...]:
    """Draws of what is left to gain over the best of the incumbents: see `Part`, and `gain_in_parts`."""
    return gain_in_parts(foreseen, [Part(domain, np.atleast_2d(incumbents))], rng)


def gain_in_parts(foreseen: Foreseen, parts: Sequence[Part], rng: np.random.Generator) -> tuple[float, ...]:
    """Draws of what is left to gain in each of the parts of a domain, one at least, added up by their shares.

    There are 64, shared out by weight: of each it is the difference of the two values in the objective's
    units, a warp undone first. Cost: O(n^2) a draw, then in each part at most 40 steps from 4 starts each at
    O((n + 1,024) E).

    Raises ValueError for no incumbent, or weights that are no weights, TypeError for a covariance that
    cannot be drawn from.
    """
    if not all(len(part.incumbents) for part in parts):
        raise ValueError("expected at least one point that was evaluated, got none")
    counts = _shared_out(np.asarray(foreseen.weights, dtype=float), DRAWS)
    climbs = [_Climb.of(part, foreseen, rng) for part in parts]
    gains: list[FloatArray] = []
    for posterior, count in zip(foreseen.posteriors, counts, strict=True):
        for begin in range(0, int(count), DRAWS_TOGETHER):
            together = min(DRAWS_TOGETHER, int(count) - begin)
            gains.append(_gained(_drawn(posterior, together, rng), foreseen, climbs, rng))
    return tuple(float(gain) for gain in np.concatenate(gains))


@dataclass(frozen=True, eq=False, slots=True)
class _Climb:
    """From ``starts`` of two kinds in a part, over its (1, D) ``best`` point."""

    part: Part
    best: FloatArray
    starts: tuple[FloatArray, FloatArray]

    @classmethod
    def of(cls, part: Part, foreseen: Foreseen, rng: np.random.Generator) -> _Climb:
        domain, incumbents = part.domain, part.incumbents
        best = incumbents[_highest_mean(foreseen, domain.embed(incumbents))]
        samples = domain.sample(SAMPLES, rng)
        return cls(part, best[None, :], (samples, np.vstack([incumbents, _nearby(domain, best, rng)])))


def _gained(
    functions: DrawnFunctions, foreseen: Foreseen, climbs: Sequence[_Climb], rng: np.random.Generator
) -> FloatArray:
    """(S,) by draws together, in all parts."""
    scale, success = foreseen.scale, foreseen.success
    weighed: WeighedFunctions | None = None
    gains: list[FloatArray] = []
    for climb in climbs:
        here = functions.values(climb.part.domain.embed(climb.best))[:, 0]
        if success is not None:
            # Whether evaluations succeed is drawn once for all parts, as values are.
            weighed = (
                success.weighing(functions, here, scale, FREQUENCIES, rng)
                if weighed is None
                else replace(weighed, floors=here)
            )
        there = maxima(functions if weighed is None else weighed, climb.part.domain, climb.starts)
        gained = np.maximum(scale.undo(np.maximum(there, here)) - scale.undo(here), 0.0)
        gains.append(climb.part.share * gained)
    return np.asarray(np.sum(gains, axis=0))


def _shared_out(weights: FloatArray, draws: int) -> IndexArray:
    """(M,) how many draws each member has: its share, the rest going to the largest remainders."""
    total = float(weights.sum()) if weights.size else 0.0
    if not (np.isfinite(total) and total > 0 and (weights >= 0).all()):
        raise ValueError(f"expected weights of at least 0, not all 0, got {weights}")
    shares = draws * weights / total
    counts = np.floor(shares).astype(np.intp)
    remainders = np.argsort(counts - shares, kind="stable")
    counts[remainders[: draws - int(counts.sum())]] += 1
    return counts


def _highest_mean(foreseen: Foreseen, inputs: FloatArray) -> int:
    mean = np.zeros(len(inputs))
    for posterior, weight in zip(foreseen.posteriors, foreseen.weights, strict=True):
        if weight > 0:
            mean += weight * posterior.mean_and_variance(inputs)[0]
    return int(np.argmax(mean))


def _drawn(posterior: DrawnFrom, count: int, rng: np.random.Generator) -> DrawnFunctions:
    if isinstance(posterior, RandomFeatureModel):
        return FeatureFunctions.from_model(posterior, count, rng)
    return PathwiseFunctions.from_posterior(posterior, FREQUENCIES, count, rng)


def _nearby(domain: Domain, point: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Feasible points about one, in three scales."""
    scales = np.resize(NEARBY_SCALES, NEARBY)[:, None]
    points: FloatArray = domain.snap(point + scales * rng.standard_normal((NEARBY, domain.dimension)))
    return points
