"""Whether fits are to pass through every value: the likeliest hypotheses are tried both ways.

Where nothing is told of noise, there may be some. A model that has to allow for it learns little from few
results of a smooth function: what sets them apart may be luck. One that must not takes it for detail that is
not there.

Where values are known to be exact, they may have detail that the results are too few to resolve, such as
ripples on a wide hill. A model that must pass through all of them then learns of the ripples that it cannot
predict, and not of the hill: away from results, such detail is as good as luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.gaussian_process.believed_best import NOTICED
from orchestrator.algorithms.mixture.hypotheses import Found
from orchestrator.algorithms.mixture.hypothesis_fitter import FitEffort
from orchestrator.algorithms.mixture.hypothesis_weighing import Weighing
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.decompositions.factor_graph import Decomposition

# So many of the likeliest hypotheses are tried the other way, from where they are and from afar.
TRIED, EFFORT = 4, FitEffort(2, 25)
LOG_ODDS_OF_NO_NOISE = 1.0
"""In nats: where results do not tell, values count as exact, as those of most simulators are."""
LOG_ODDS_OF_ALL_RESOLVED = 2.0
"""In nats, where there is no noise: results that lie closer may yet tell."""


def in_question(problem: Problem) -> bool:
    """Whether there are two ways to take its values: unless noise is told, or none and several objectives."""
    return problem.noise.kind == "unknown" or (problem.noise.is_none and not problem.further_objectives)


def taken_for(problem: Problem, *, exact: bool) -> Problem:
    """A problem whose values fits pass through, if ``exact``, but for those that came with a variance, which
    are known as well as that says; else one of noise as told, or inferred.
    """
    if exact:
        return problem if problem.noise.is_none else replace(problem, noise=Noise("reported"))
    return replace(problem, noise=Noise()) if problem.noise.is_none else problem


def is_refuted(
    problem: Problem,
    found: Sequence[Found],
    factors: Decomposition | None,
    otherwise: Weighing,
    *,
    exact: bool,
) -> bool:
    """Whether values are better taken the other way than they were, ``exact`` or not.

    ``found`` are the hypotheses weighed so, the most probable first, and ``otherwise`` weighs the other way.
    """
    best = list(found[:TRIED])
    try:
        tried = otherwise.fitted([one.hypothesis for one in best], factors, best, EFFORT)
    except FactorisationError:
        return False
    through, beside = (best[0], tried[0]) if exact else (tried[0], best[0])
    odds = beside.log_probability - through.log_probability
    if problem.noise.is_none:
        return (odds > LOG_ODDS_OF_ALL_RESOLVED and beside.noise_variance > NOTICED) == exact
    return (odds > LOG_ODDS_OF_NO_NOISE) == exact
