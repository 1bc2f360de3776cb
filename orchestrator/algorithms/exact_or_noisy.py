"""Whether values are noisy, where nothing is told of that: the likeliest hypotheses are tried both ways.

Where a model has to allow for noise, few results of a smooth function say little: what sets them apart may be
luck. Where it must not, noise is taken for detail that is not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.hypotheses import Found
from orchestrator.algorithms.hypothesis_fitter import Effort
from orchestrator.algorithms.hypothesis_weighing import Weighing
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.factor_graph import Decomposition

# So many of the likeliest hypotheses are tried the other way, from where they are and from afar.
TRIED, EFFORT = 4, Effort(2, 25)
LOG_ODDS_OF_NO_NOISE = 1.0
"""In nats: where results do not tell, values count as exact, as those of most simulators are."""


def taken_for(problem: Problem, *, exact: bool) -> Problem:
    """A problem whose values are ``exact``, or as it is told."""
    return replace(problem, noise=Noise("known", 0.0)) if exact else problem


def is_refuted(
    exact: bool, found: Sequence[Found], factors: Decomposition | None, otherwise: Weighing
) -> bool:
    """Whether it is likelier that values are not as they were taken for, ``exact`` or noisy.

    ``found`` are the hypotheses weighed so, the most probable first, and ``otherwise`` weighs the other way.
    """
    best = list(found[:TRIED])
    try:
        tried = otherwise.fitted([one.hypothesis for one in best], factors, best, EFFORT)
    except FactorisationError:
        return False
    ahead = LOG_ODDS_OF_NO_NOISE if exact else -LOG_ODDS_OF_NO_NOISE
    return tried[0].log_probability > best[0].log_probability + ahead
