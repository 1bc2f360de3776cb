"""Where `auto` looks next: everywhere, by the mixture; or in one region, by the model of that.

Notation: D coordinates, E embedded columns, k points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.acquisition.detail import Detailed
from orchestrator.acquisition.doubt import Doubted
from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.feasibility import WhereFeasible
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.acquisition.mixture_improvement import LogMixtureImprovement
from orchestrator.acquisition.posterior import Acquisition, Function
from orchestrator.acquisition.reason import reason
from orchestrator.acquisition.surroundings import OfSurroundings
from orchestrator.acquisition.thompson import ThompsonSample
from orchestrator.algorithms.auto_ground import (
    INCUMBENTS,
    LEAST_GLOBAL_IMPROVEMENT,
    LEAST_LOCAL_IMPROVEMENT,
    Bounds,
    Ground,
)
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.mixture_belief import Member, MixtureBelief
from orchestrator.algorithms.outcome_belief import OutcomeBelief
from orchestrator.algorithms.search_region import SearchRegion
from orchestrator.arrays import FloatArray
from orchestrator.domain import Domain
from orchestrator.maximisers.coordinate_moves import Sweep, changed_in_a_few
from orchestrator.maximisers.multistart import maximise
from orchestrator.surrogates.drawn_functions import FirstOf
from orchestrator.surrogates.exact import ExactGP
from orchestrator.surrogates.pathwise_functions import PathwiseFunctions

# Little is expected anywhere if it is less than this part of what the best value is above the median. Every
# other trial of the search everywhere then counts deviations so many times.
LITTLE, DOUBT = 1e-3, 3.0
# Multiples of it, less their whole parts, are spread evenly, and independently of what is the region's.
ROOT_OF_TWO = 1.4142135623730951
# Up to so many parameters the search everywhere is held back from the edges; of more parameters that would
# hold it in the middle of all of them.
FEW_PARAMETERS = 3
# How optimistic the surfaces are, in deviations, that coordinates are swept on.
OPTIMISM = (0.0, 1.0)
CHANGED = 200
CHANGED_KEPT = 2
# Little is left in the region beside the points that run there if it is less than this part of what one of
# those promised.
LOG_LITTLE = math.log(0.1)
# By how many a function drawn from the region's model is expressed.
FREQUENCIES = 512
# The slope of a member's scale is taken over so much either side of a standardised value.
STEP = 1e-3
# Where there are waves, the positions tried for each of them along a coordinate, the most along one, and the
# most coordinates swept.
POSITIONS_A_WAVE, MOST_POSITIONS, MOST_SWEPT = 6, 200, 100


@dataclass(frozen=True, eq=False, slots=True)
class Proposal:
    """A suggestion, and the logarithm of the improvement expected of it, in the objective's units, times the
    probability that it may be used. For one of the search everywhere, what `OfSurroundings` takes off near
    the edges is taken off this too; while nothing may be used, it is that probability alone.
    """

    suggestion: Suggestion
    log_gain: float


def everywhere(belief: MixtureBelief, ground: Ground, *, doubt: float = 1.0) -> Proposal | None:
    """Where the mixture expects most improvement over the best points told and those that run, its members'
    deviations times ``doubt``; None if no point may be suggested.
    """
    domain = ground.domain
    if ground.outcomes is not None and not ground.satisfied:
        return _towards_feasible(ground.outcomes, belief.leader, ground)
    contenders = domain.embed(np.vstack([ground.best, ground.likely]))
    with belief.hallucinating(ground.settled, without_noise=ground.noisy), ground.hallucinating():
        noises = [m.noise_variance if ground.noisy else 0.0 for m in belief.members]
        parts = [
            _improvement(member, contenders, ground.least, noise, doubt)
            for member, noise in zip(belief.members, noises, strict=True)
        ]
        parts = [
            _beside_detail(m, part, ground) if m.unresolved_variance else part
            for m, part in zip(belief.members, parts, strict=True)
        ]
        units = [_units(m, part.best) for m, part in zip(belief.members, parts, strict=True)]
        acquisition = ground.where_feasible(
            LogMixtureImprovement(parts, np.log(belief.weights) + np.log(units))
        )
        objective = _of_surroundings(Embedded(domain, acquisition), belief.leader, domain)
        expected = ground.expected_top(belief.leader, ground.best[0], _everywhere(domain))
        starts = np.vstack([ground.about, expected, _moves(belief.leader, objective, ground)])
        found = maximise(objective, domain, starts, ground.allows, ground.rng)
        if found is None:
            return None
        why = reason(acquisition, domain.embed(found.point)) | ground.chance(domain.embed(found.point))
    leader = belief.leader
    if len(belief.members) == 1:
        why |= {"member": leader.found.hypothesis.name}
    why |= {"search": "global" if doubt == 1.0 else "doubting"}
    return Proposal(explained(leader, ground, found.point, why), found.value)


def is_doubted(found: Proposal, ground: Ground, above_median: float, trial: int) -> bool:
    """Whether a trial is for where the models may be wrong, in the place of where they see next to nothing to
    gain: the last of the best hill, which is the region's, or what all of them agree on too easily.

    ``above_median`` >= 0 is what the best value is above the median of those told. Not where values are
    noisy: there so little may be all that there is to find, for long. Nor before the best is in hand.
    """
    limit = LITTLE * above_median
    # Of the least numbers that there are a thousandth is none.
    little = limit > 0.0 and found.log_gain < math.log(limit)
    possible = ground.satisfied and not ground.noisy and ground.is_in_hand
    return possible and little and (trial * ROOT_OF_TWO) % 1.0 < 0.5


def _towards_feasible(outcomes: OutcomeBelief, leader: Member, ground: Ground) -> Proposal | None:
    """While no point is known that satisfies the constraints on outcomes: where one is likeliest to.

    Source: Gelbart et al. 2014, Section 3.2.
    """
    domain = ground.domain
    with ground.hallucinating():
        objective = Embedded(domain, outcomes.log_feasibility)
        found = maximise(objective, domain, ground.best[:INCUMBENTS], ground.allows, ground.rng)
        if found is None:
            return None
        why = {"search": "global", **ground.chance(domain.embed(found.point))}
    return Proposal(explained(leader, ground, found.point, why), found.value)


def in_region(local: Member, region: SearchRegion, ground: Ground) -> Proposal | None:
    """Where in the region its own model expects most improvement; or, where values are noisy or little is
    left beside those that run there, the top of a function drawn from that model. None if none of it may be
    suggested.
    """
    domain, box = ground.domain, region.box
    inside = ground.running[box.contains(ground.running)]
    contenders = np.vstack([region.centre, ground.likely[box.contains(ground.likely)]])
    if ground.noisy:
        contenders = np.unique(np.vstack([contenders, ground.best[box.contains(ground.best)]]), axis=0)
    settled = contenders if ground.noisy else inside
    with (
        local.posterior.hallucinating(domain.embed(settled), without_noise=ground.noisy),
        ground.hallucinating(),
    ):
        improvement = _improvement(local, domain.embed(contenders), LEAST_LOCAL_IMPROVEMENT)
        acquisition = ground.where_feasible(improvement)
        objective = Embedded(domain, acquisition)
        expected = ground.expected_top(local, region.centre, (box.lower, box.upper))
        starts = np.vstack([region.centre, expected])
        point = box.maximise(objective, starts, ground.allows, ground.rng)
        if point is None:
            return None
        why = reason(acquisition, domain.embed(point)) | ground.chance(domain.embed(point))
        log_gain = float(acquisition.values(domain.embed(point))[0])
    promised = log_gain + math.log(_units(local, improvement.best))
    if ground.noisy:
        # Once the best points count as known, next to them nothing is left and one place is asked for again
        # and again: where the top lies is learned from many places that may be it.
        top = _top_of_a_draw(local, region, ground)
        return None if top is None else Proposal(top, promised)
    if len(inside):
        centre = _improvement(local, domain.embed(region.centre[None, :]), LEAST_LOCAL_IMPROVEMENT)
        alone = ground.where_feasible(centre)
        if log_gain < LOG_LITTLE + float(alone.values(domain.embed(inside)).max()):
            top = _top_of_a_draw(local, region, ground)
            if top is None:
                return None
            of_top = float(alone.values(domain.embed(top.point))[0])
            return Proposal(top, of_top + math.log(_units(local, centre.best)))
    return Proposal(_explained_locally(local, ground, point, why), promised)


def _everywhere(domain: Domain) -> Bounds:
    return np.zeros(domain.dimension), np.ones(domain.dimension)


def regional(local: Member) -> str:
    """What the region's model is called beside the members of the mixture."""
    return f"the region's {local.found.hypothesis.name}"


def _top_of_a_draw(local: Member, region: SearchRegion, ground: Ground) -> Suggestion | None:
    """The top of a function drawn from the region's model. Draws differ as far as it is unsure of the top,
    while what improvement it expects beside points that count as known lies ever farther out.
    """
    domain, posterior = ground.domain, local.drawable
    assert isinstance(posterior, ExactGP)
    functions = PathwiseFunctions.from_posterior(posterior, FREQUENCIES, 1, ground.rng)
    sample = ThompsonSample(posterior, FirstOf(functions))
    objective: Acquisition = sample
    if ground.outcomes is not None:
        # Slacks are drawn as well: what is unsure of them counts as what is unsure of the top.
        objective = WhereFeasible(sample, ground.outcomes.drawn(FREQUENCIES, ground.rng))
    point = region.box.maximise(
        Embedded(domain, objective), region.centre[None, :], ground.allows, ground.rng
    )
    if point is None:
        return None
    X = domain.embed(point)
    return _explained_locally(local, ground, point, reason(sample, X) | ground.chance(X))


def _explained_locally(
    local: Member, ground: Ground, point: FloatArray, why: Mapping[str, Any]
) -> Suggestion:
    return explained(local, ground, point, {"member": regional(local), "search": "local", **why})


def _of_surroundings(objective: Function, leader: Member, domain: Domain) -> Function:
    """What is maximised everywhere: of few parameters, less near edges towards which the function changes."""
    along = np.flatnonzero(domain.is_continuous)
    if np.count_nonzero(~domain.is_held) > FEW_PARAMETERS or len(along) == 0:
        return objective
    reaches = np.array(leader.found.hyperparameters.length_scales)[along]
    return OfSurroundings(objective, reaches, along)


def _moves(leader: Member, objective: Function, ground: Ground) -> FloatArray:
    """(k, D) points worth a climb, which differ from the best ones in a coordinate or more."""
    domain, rng = ground.domain, ground.rng
    changed = changed_in_a_few(domain, ground.best[:INCUMBENTS], CHANGED, rng)
    moves = [changed[np.argsort(-objective.values(changed), kind="stable")[:CHANGED_KEPT]]]
    for optimism in OPTIMISM:
        surface = _optimistic(leader, domain, optimism)
        moves.append(_sweep(leader).improve(surface, domain, ground.best[0], rng)[None, :])
    return np.vstack(moves)


def _sweep(leader: Member) -> Sweep:
    """Each wave may have the best hill: a coordinate is looked at closely enough to see all of them."""
    frequency = leader.found.frequency
    if not frequency:
        return Sweep()
    positions = max(Sweep().positions, math.ceil(POSITIONS_A_WAVE * frequency))
    return Sweep(min(positions, MOST_POSITIONS), MOST_SWEPT)


def _optimistic(member: Member, domain: Domain, optimism: float) -> Callable[[FloatArray], FloatArray]:
    """A member's mean plus so many deviations, of (k, D) points."""

    def surface(X: FloatArray) -> FloatArray:
        if optimism == 0.0:
            return member.posterior.mean_at(domain.embed(X))
        mean, variance = member.posterior.mean_and_variance(domain.embed(X))
        return np.asarray(mean + optimism * np.sqrt(variance))

    return surface


def explained(member: Member, ground: Ground, point: FloatArray, why: Mapping[str, Any]) -> Suggestion:
    """A (D,) point that a member, and whatever else is said, are the reason of."""
    X = ground.domain.embed(point)
    told = {"source": "model", **why}
    if ground.noisy:
        mean = float(member.posterior.mean_and_variance(X)[0][0])
        told["noise"] = math.sqrt(member.noise_variance) * _units(member, mean)
    return Suggestion(point, member.predicted(X), told, member.parts(X[0]))


def _improvement(
    member: Member, contenders: FloatArray, least: float, noise_variance: float = 0.0, doubt: float = 1.0
) -> LogExpectedImprovement:
    """Log EI over the highest posterior mean among embedded contenders and ``least`` more."""
    mean, _ = member.posterior.mean_and_variance(contenders)
    believed = member.posterior if doubt == 1.0 else Doubted(member.posterior, doubt)
    return LogExpectedImprovement(believed, float(mean.max()) + least, noise_variance)


def _beside_detail(
    member: Member, expected: LogExpectedImprovement, ground: Ground
) -> LogExpectedImprovement:
    """What is expected where each value has detail that the results do not resolve: over the best value as
    it was told, whatever of it is detail.
    """
    detailed = Detailed(expected.posterior, member.unresolved_variance)
    if ground.highest == -math.inf:
        return LogExpectedImprovement(detailed, expected.best)
    told = float(member.scale.apply(np.array([ground.highest]))[0]) + LEAST_GLOBAL_IMPROVEMENT
    return LogExpectedImprovement(detailed, max(expected.best, told))


def _units(member: Member, at: float) -> float:
    """d value / d standardised, at a standardised value."""
    low, high = member.scale.undo(np.array([at - STEP, at + STEP]))
    return max(float(high - low) / (2.0 * STEP), float(np.finfo(float).tiny))
