"""Where `auto` looks next in the region where it looks closely: by the model of the results there alone.

Notation: D coordinates, E embedded columns, k points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.feasibility import WhereFeasible
from orchestrator.acquisition.posterior import Acquisition
from orchestrator.acquisition.reason import reason
from orchestrator.acquisition.thompson import ThompsonSample
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.mixture.belief import Member
from orchestrator.algorithms.mixture.ground import LEAST_LOCAL_IMPROVEMENT, Ground
from orchestrator.algorithms.mixture.proposal import Proposal, explained, log_improvement, units_about
from orchestrator.algorithms.mixture.search_region import SearchRegion
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.draws.drawn_functions import FirstOf
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.posteriors.exact import ExactGP

# Little is left in the region beside the points that run there if it is less than this part of what one of
# those promised.
LOG_LITTLE = math.log(0.1)
# By how many a function drawn from the region's model is expressed.
FREQUENCIES = 512


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
        improvement = log_improvement(local, domain.embed(contenders), LEAST_LOCAL_IMPROVEMENT)
        acquisition = ground.as_it_counts(improvement)
        objective = Embedded(domain, acquisition)
        expected = ground.expected_top(local, region.centre, (box.lower, box.upper))
        starts = np.vstack([region.centre, expected])
        point = box.maximise(objective, starts, ground.allows, ground.rng)
        if point is None:
            return None
        X = domain.embed(point)
        why = reason(acquisition, X) | ground.chance(X)
        log_gain = float(acquisition.values(X)[0])
    promised = log_gain + math.log(units_about(local, improvement.best))
    if ground.noisy:
        # Once the best points count as known, next to them nothing is left and one place is asked for again
        # and again: where the top lies is learned from many places that may be it.
        top = _top_of_a_draw(local, region, ground)
        return None if top is None else Proposal(top, promised)
    if len(inside):
        centre = log_improvement(local, domain.embed(region.centre[None, :]), LEAST_LOCAL_IMPROVEMENT)
        alone = ground.as_it_counts(centre)
        if log_gain < LOG_LITTLE + float(alone.values(domain.embed(inside)).max()):
            top = _top_of_a_draw(local, region, ground)
            if top is None:
                return None
            of_top = float(alone.values(domain.embed(top.point))[0])
            return Proposal(top, of_top + math.log(units_about(local, centre.best)))
    return Proposal(_explained_locally(local, ground, point, why), promised)


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
