"""Where `auto` looks next everywhere: by the mixture, and where that may be wrong.

Notation: D coordinates, E embedded columns, k points.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from orchestrator.acquisition.detail import Detailed
from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.acquisition.mixture_improvement import LogMixtureImprovement
from orchestrator.acquisition.posterior import Acquisition, Function
from orchestrator.acquisition.reason import reason
from orchestrator.acquisition.surroundings import OfSurroundings
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.algorithms.mixture.ground import INCUMBENTS, LEAST_GLOBAL_IMPROVEMENT, Bounds, Ground
from orchestrator.algorithms.mixture.outcome_belief import OutcomeBelief
from orchestrator.algorithms.mixture.proposal import Proposal, explained, log_improvement, units_about
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.coordinate_moves import Sweep, changed_in_a_few
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.maximisers.maximum import Maximum
from orchestrator.unit_cube.domain import Domain

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
# Of so many points that differ from the best ones in a few coordinates so many are climbed from.
CHANGED, CHANGED_KEPT = 200, 2
# Where there are waves, the positions tried for each of them along a coordinate, the most along one, and the
# most coordinates swept.
POSITIONS_A_WAVE, MOST_POSITIONS, MOST_SWEPT = 6, 200, 100


def everywhere(belief: MixtureBelief, ground: Ground, *, doubt: float = 1.0) -> Proposal | None:
    """Where the mixture expects most improvement over the best points told and those that run, its members'
    deviations times ``doubt``; None if no point may be suggested.
    """
    domain = ground.domain
    if ground.outcomes is not None and ground.outcomes.slacks and not ground.satisfied:
        return _towards_feasible(ground.outcomes, belief.leader, ground)
    contenders = domain.embed(np.vstack([ground.best, ground.likely]))
    with belief.hallucinating(ground.settled, without_noise=ground.noisy), ground.hallucinating():
        acquisition = _acquisition(belief, contenders, ground, doubt)
        plain = _of_surroundings(Embedded(domain, acquisition), belief.leader, domain)
        objective = ground.leaning_to(plain)
        starts = np.vstack([ground.about, ground.said])
        if domain.rows is None:
            # Of rows all are looked at, and need no climb.
            expected = ground.expected_top(belief.leader, ground.best[0], _whole_cube(domain))
            starts = np.vstack([starts, expected, _moves(belief.leader, objective, ground)])
        found = maximise(objective, domain, starts, ground.allows, ground.rng)
        if found is None:
            return None
        X = domain.embed(found.point)
        why = reason(acquisition, X) | ground.chance(X)
    leader = belief.leader
    if len(belief.members) == 1:
        why |= {"member": leader.found.hypothesis.name}
    why |= {"search": "global" if doubt == 1.0 else "doubting"}
    return Proposal(explained(leader, ground, found.point, why), _expected(found, ground))


def promises(belief: MixtureBelief, ground: Ground, points: FloatArray) -> FloatArray:
    """(k,) the logarithm of what `everywhere` maximises, edges or not, at each of (k, D) points."""
    domain = ground.domain
    if ground.outcomes is not None and ground.outcomes.slacks and not ground.satisfied:
        with ground.hallucinating():
            return Embedded(domain, ground.outcomes.log_feasibility).values(points)
    contenders = domain.embed(np.vstack([ground.best, ground.likely]))
    with belief.hallucinating(ground.settled, without_noise=ground.noisy), ground.hallucinating():
        return Embedded(domain, _acquisition(belief, contenders, ground, 1.0)).values(points)


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
        objective = ground.leaning_to(Embedded(domain, outcomes.log_feasibility))
        starts = np.vstack([ground.best[:INCUMBENTS], ground.said])
        found = maximise(objective, domain, starts, ground.allows, ground.rng)
        if found is None:
            return None
        why = {"search": "global", **ground.chance(domain.embed(found.point))}
    return Proposal(explained(leader, ground, found.point, why), _expected(found, ground))


def _expected(found: Maximum, ground: Ground) -> float:
    """What is expected of a point, as a logarithm, whether or not it was said to be promising."""
    return found.value - (
        0.0 if ground.leaning is None else ground.leaning.counted(ground.domain, found.point)
    )


def _of_surroundings(objective: Function, leader: Member, domain: Domain) -> Function:
    """What is maximised everywhere: of few parameters, less near edges towards which the function changes."""
    along = np.flatnonzero(domain.is_continuous & ~domain.comes_round)
    many = np.count_nonzero(~domain.is_held) > FEW_PARAMETERS
    if many or len(along) == 0 or domain.rows is not None:
        return objective
    reaches = domain.embedding.of_coordinates(leader.found.hyperparameters.length_scales)[along]
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


def _whole_cube(domain: Domain) -> Bounds:
    return np.zeros(domain.dimension), np.ones(domain.dimension)


def _acquisition(belief: MixtureBelief, contenders: FloatArray, ground: Ground, doubt: float) -> Acquisition:
    """What the mixture expects over embedded contenders, for its time, as likely as it may be used."""
    parts = [_improvement(member, contenders, ground, doubt) for member in belief.members]
    units = [units_about(m, part.best) for m, part in zip(belief.members, parts, strict=True)]
    return ground.as_it_counts(LogMixtureImprovement(parts, np.log(belief.weights) + np.log(units)))


def _improvement(
    member: Member, contenders: FloatArray, ground: Ground, doubt: float
) -> LogExpectedImprovement:
    """What a member expects over embedded contenders: in noise, of what will be believed after the trial."""
    noise_variance = member.noise_variance if ground.noisy else 0.0
    expected = log_improvement(member, contenders, ground.least, noise_variance, doubt)
    return _beside_detail(member, expected, ground) if member.unresolved_variance else expected


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
