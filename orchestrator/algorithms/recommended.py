"""The point believed best of a domain, or of a part of it: to be used, not to be learned from."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.feasibility import LogFeasibility, WhereFeasible
from orchestrator.acquisition.lower_bound import LowerBound
from orchestrator.acquisition.posterior import Acquisition, Posterior
from orchestrator.acquisition.weighted_means import WeightedMeans
from orchestrator.algorithms.base import Prediction, Suggestion
from orchestrator.algorithms.gaussian_process.best_where_held import BestWhereHeld
from orchestrator.algorithms.history import History
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.surrogates.posteriors.averaged import AveragedPosterior
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain

INCUMBENTS = 5
SURELY = 2.0
"""Deviations by which a point is to be believed better than the best one told, whose value is exact."""


class BelievedUsable(Protocol):
    """Where constraints on outcomes are believed satisfied, and evaluations to succeed, of (k, E) embedded
    inputs.
    """

    @property
    def log_probability(self) -> LogFeasibility:
        """Of both."""
        ...

    def likely(self, X: FloatArray) -> BoolArray:
        """(k,) where the constraints are likelier satisfied than not."""
        ...

    def likely_to_succeed(self, X: FloatArray) -> BoolArray:
        """(k,) where an evaluation is likelier to succeed than not."""
        ...


def recommended(
    domain: Domain,
    history: History,
    posterior: Posterior,
    scale: Standardisation,
    outcomes: BelievedUsable | None,
    rng: np.random.Generator,
) -> Suggestion:
    """Where a posterior, in standardised units of ``scale``, has its highest mean; of averages, its highest
    lower bound. Where there are constraints on outcomes, or something failed, that counts for less where a
    point is less likely to satisfy them, or to succeed, and for nothing where it is likelier not to, if a
    point is found that is not so. There must be a result with a value.
    """
    averages = isinstance(posterior, AveragedPosterior)
    objective: Acquisition = LowerBound(posterior) if averages else WeightedMeans([posterior], [1.0])
    if outcomes is not None:
        objective = WhereFeasible(objective, outcomes.log_probability)
    at = Embedded(domain, objective)

    def usable(points: FloatArray) -> BoolArray:
        feasible = domain.feasible(points)
        if outcomes is None:
            return feasible
        X = domain.embed(points)
        return feasible & outcomes.likely(X) & outcomes.likely_to_succeed(X)

    told = BestWhereHeld.of(domain, history, at.values).points
    good = usable(told)
    known = (told[good] if good.any() else told)[:INCUMBENTS]
    found = maximise(at, domain, known, usable, rng) or maximise(at, domain, known, domain.feasible, rng)
    # What was told may be a peak that no climb begins on.
    points = known if found is None else np.vstack([found.point, known[usable(known)]])
    point = points[int(np.argmax(at.values(points)))]
    mean, variance = posterior.mean_and_variance(domain.embed(point))
    return Suggestion(point, Prediction.of(mean[0], variance[0], scale), {"source": "model"})


def surely_better(found: Suggestion, history: History, domain: Domain) -> Suggestion:
    """What was ``found`` if it is believed better by `SURELY` deviations than the best point told, of exact
    values; else that point. The highest of many means is often one that is believed too high: that of what
    lies over an edge, or far from all that was told.
    """
    best = history.best(1)
    if found.predicted is None or not (history.satisfied and len(best) and domain.feasible(best)[0]):
        return found
    if found.predicted.mean - SURELY * found.predicted.deviation > history.highest:
        return found
    return Suggestion(best[0], Prediction(history.highest, 0.0), {"source": "model"})
