"""What `auto` proposes, how much is expected of it, and how it is explained.

Notation: D coordinates, E embedded columns, k points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.acquisition.doubt import Doubted
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.mixture.belief import Member
from orchestrator.algorithms.mixture.ground import Ground
from orchestrator.arrays import FloatArray

# In standardised units.
STEP = 1e-3


@dataclass(frozen=True, eq=False, slots=True)
class Proposal:
    """A suggestion, and the logarithm of the improvement expected of it, in the objective's units, times the
    probability that it may be used. For one of the search everywhere, what `OfSurroundings` takes off near
    the edges is taken off this too; while nothing may be used, it is that probability alone.
    """

    suggestion: Suggestion
    log_gain: float


def log_improvement(
    member: Member, contenders: FloatArray, least: float, noise_variance: float = 0.0, doubt: float = 1.0
) -> LogExpectedImprovement:
    """Log EI over the highest posterior mean among (k, E) embedded contenders and ``least`` more, in
    standardised units; deviations count ``doubt`` times. ``noise_variance``: see `LogExpectedImprovement`.
    """
    mean, _ = member.posterior.mean_and_variance(contenders)
    believed = member.posterior if doubt == 1.0 else Doubted(member.posterior, doubt)
    return LogExpectedImprovement(believed, float(mean.max()) + least, noise_variance)


def units_about(member: Member, at: float) -> float:
    """d value / d standardised, > 0, over `STEP` either side of a standardised value."""
    low, high = member.scale.undo(np.array([at - STEP, at + STEP]))
    return max(float(high - low) / (2.0 * STEP), float(np.finfo(float).tiny))


def explained(member: Member, ground: Ground, point: FloatArray, why: Mapping[str, Any]) -> Suggestion:
    """A (D,) point that a member, and whatever else is said, are the reason of."""
    X = ground.domain.embed(point)
    told = {"source": "model", **why}
    if ground.noisy:
        mean = float(member.posterior.mean_and_variance(X)[0][0])
        told["noise"] = math.sqrt(member.noise_variance) * units_about(member, mean)
    return Suggestion(point, member.predicted(X), told, member.parts(X[0]))
