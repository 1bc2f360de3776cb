"""Whether a trial of `auto` beside a clock is for what is not known, or is the point believed best now.

What is learned of one time tells ever less of later ones, so that in each there is as much to learn again,
and who looks for improvement alone looks about without end. And what drifts is mostly in use meanwhile: each
trial counts for what it is as well.

Source: the knowledge gradient online, Ryzhov, Powell & Frazier 2012, by expected improvement.
Deviations: the point for which what it is and what it teaches come to most is one of two.
"""

from __future__ import annotations

import math

from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.mixture.proposal import Proposal

BEST_NOW = "best now"
"""Why a suggestion is where it is: it is the point believed best now, to be tried as it is."""
# So many trials are better by what one finds: by then the best is elsewhere, or was found anyhow.
FOLLOWING = 10


def is_best_now(chosen: Suggestion) -> bool:
    """Whether a suggestion counts for what it is, and not for what it teaches."""
    return chosen.why.get("search") == BEST_NOW


def is_worth_its_loss(found: Proposal, best_now: Suggestion, left: int | None) -> bool:
    """Whether the improvement expected of a point, in the trials that follow, is at least what is lost by
    trying it in the place of the point believed best now. ``left`` >= 0 is how many follow, where that is
    known.
    """
    tried, best = found.suggestion.predicted, best_now.predicted
    if tried is None or best is None:
        return True
    following = FOLLOWING if left is None else min(FOLLOWING, left)
    return following * math.exp(found.log_gain) >= best.mean - tried.mean
