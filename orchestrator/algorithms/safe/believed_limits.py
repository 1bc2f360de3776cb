"""How surely limits on outcomes are kept at a point, by all that was told and nothing that still runs.

Notation: K limits, each of one slack or several, which are at least 0 where it holds; S draws, n results, k
points, D coordinates, E embedded columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.kept_limit import KeptLimit
from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.gaussian_process.drawn_models import DrawnModels, LogNormal
from orchestrator.algorithms.history import History
from orchestrator.algorithms.safe.drawn_slacks import broken, drawn_slack
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.domain import Domain

CAUTIOUS = LogNormal(0.25, 0.7, (0.01, 3.0))
"""How far a parameter may go before a slack is another one, as a part of its range, before anything is known
of it.
"""

LEAST_SHARE = 1e-12
"""Of what is known, where nothing is."""


@dataclass(frozen=True, eq=False)
class BelievedLimits:
    """The ``slacks``, by their numbers, have a mean of 0 where nothing is known: there each limit is as
    likely broken as not, and farther from where it was seen to hold it is less sure the nearer it came to
    being broken. ``told`` (n, D) are the points at which all limits were kept, ``failed`` (m, D) those
    where evaluations gave nothing, which may have been for a limit that was broken.
    """

    domain: Domain
    limits: tuple[KeptLimit, ...]
    slacks: dict[int, DrawnModels]
    told: FloatArray
    failed: FloatArray

    @classmethod
    def of(cls, problem: Problem, history: History) -> BelievedLimits | None:
        """None while no result is known to keep all of them."""
        numbers = sorted({slack for limit in problem.kept for slack in limit.slacks})
        told = history.slacks[:, numbers]
        # NaN, of what is not known, is not at least 0.
        keeps = (told >= 0.0).all(axis=1)
        if not keeps.any():
            return None
        models = {number: drawn_slack(problem, history, number, CAUTIOUS) for number in numbers}
        failed = history.points[np.isnan(history.values)]
        return cls(problem.domain, problem.kept, models, history.points[keeps], failed)

    def probabilities(self, points: FloatArray) -> FloatArray:
        """(K, k) that each limit holds of an evaluation at (k, D) points, its noise included. Of one with
        several slacks, at least that.
        """
        X = self.domain.embed(points)
        chances = {number: broken(model, X) for number, model in self.slacks.items()}
        sums = [np.sum([chances[number] for number in limit.slacks], axis=0) for limit in self.limits]
        return np.asarray(np.maximum(0.0, 1.0 - np.array(sums).reshape(len(self.limits), len(points))))

    def keeps(self, points: FloatArray) -> BoolArray:
        """(k,) at which of (k, D) points each limit is as sure to hold as it has to be. Of a value of a
        choice nothing is known that was not tried where all of them held, and what is nearer to a failure
        than to any of those lies in the direction in which evaluations fail.
        """
        sure = np.array([limit.probability for limit in self.limits])
        enough = (self.probabilities(points) >= sure[:, None]).all(axis=0)
        return np.asarray(enough & self._tried(points) & ~self._nearer_to_failures(points))

    def log_likely(self, points: FloatArray) -> FloatArray:
        """(k,) the logarithm of the probability that all of them hold, as if they were independent."""
        return np.asarray(np.log(np.maximum(self.probabilities(points), LEAST_SHARE)).sum(axis=0))

    def told_of(self, points: FloatArray, target: FloatArray, running: FloatArray) -> FloatArray:
        """(k,) how much evaluations at (k, D) points would tell of the slacks at a (D,) target beside (r, D)
        that run: of the one of which they tell most, as a part of what is not known of it.
        """
        X, T, beside = (self.domain.embed(one) for one in (points, target, running))
        with in_all(model.hallucinating(beside) for model in self.slacks.values()):
            return np.asarray(np.max([model.told_of(X, T) for model in self.slacks.values()], axis=0))

    def share_known(self, points: FloatArray) -> FloatArray:
        """(k,) what part of the variance of the slacks at (k, D) points results explain: of the one that is
        known least; in (0, 1].
        """
        X = self.domain.embed(points)
        shares = np.min([model.share_known(X) for model in self.slacks.values()], axis=0)
        return np.asarray(np.maximum(shares, LEAST_SHARE))

    def _nearer_to_failures(self, points: FloatArray) -> BoolArray:
        """(k,) never where something failed and kept all limits at another time."""
        if not len(self.failed):
            return np.zeros(len(points), dtype=bool)
        X, F, T = (self.domain.embed(one) for one in (points, self.failed, self.told))
        return np.asarray(_nearest(X, F) < _nearest(X, T))

    def _tried(self, points: FloatArray) -> BoolArray:
        tried = np.ones(len(points), dtype=bool)
        for j in np.flatnonzero(self.domain.is_categorical):
            tried &= np.isin(points[:, j], self.told[:, j])
        return tried


def _nearest(X: FloatArray, others: FloatArray) -> FloatArray:
    """(k,) how far each of (k, E) is from the nearest of (m, E), squared."""
    apart = np.full(len(X), np.inf)
    for other in others:
        apart = np.minimum(apart, ((X - other) ** 2).sum(axis=1))
    return apart
