"""How likely an evaluation is to succeed and to satisfy constraints, how long it takes, and what a point is
worth by that.
"""

from __future__ import annotations

from orchestrator.acquisition.feasibility import WhereFeasible
from orchestrator.acquisition.posterior import Acquisition
from orchestrator.algorithms.mixture.outcome_belief import OutcomeBelief
from orchestrator.arrays import FloatArray


def where_it_succeeds(acquisition: Acquisition, outcomes: OutcomeBelief | None) -> Acquisition:
    """An acquisition in logarithms, or as much of it as an evaluation is likely to succeed."""
    if outcomes is None or outcomes.success is None:
        return acquisition
    return WhereFeasible(acquisition, outcomes.success.log_success)


def for_its_time(acquisition: Acquisition, outcomes: OutcomeBelief | None) -> Acquisition:
    """An acquisition in logarithms, or what it comes to for each second, where that is weighed."""
    if outcomes is None or outcomes.duration is None:
        return acquisition
    return WhereFeasible(acquisition, outcomes.duration.quickness)


def chances(X: FloatArray, outcomes: OutcomeBelief | None) -> dict[str, float]:
    """Of a (1, E) embedded point, as `Suggestion.why` has them."""
    told = {}
    if outcomes is not None and outcomes.slacks:
        told["feasible"] = float(outcomes.probability(X)[0])
    if outcomes is not None and outcomes.success is not None:
        told["succeeds"] = float(outcomes.success.probability(X)[0])
    if outcomes is not None and outcomes.duration is not None:
        told["seconds"] = outcomes.duration.seconds(X)
    return told
