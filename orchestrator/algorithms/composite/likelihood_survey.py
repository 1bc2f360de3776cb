"""Places where the likelihood of what was measured may be high, by which it is judged what is known of it.

Notation: P places, p points, D coordinates, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.likelihood_learned import GroupAtPlaces, GroupTaken, LogLikelihoodLearned
from orchestrator.acquisition.target_likelihood import FittedGroup, TargetLikelihood
from orchestrator.algorithms.composite.learned_outcomes import LearnedOutcomes
from orchestrator.algorithms.composite.likely_places import likely_places
from orchestrator.algorithms.problem import Problem
from orchestrator.arrays import FloatArray

PLACES = 256


@dataclass(frozen=True, eq=False, slots=True)
class LikelihoodSurvey:
    """Of P places, (P, D) ``points`` and (P, E) ``places``, what is believed ``at`` them of each group; each
    counts by the exponential of (P,) ``log_weights``.
    """

    points: FloatArray
    places: FloatArray
    at: tuple[GroupAtPlaces, ...]
    log_weights: FloatArray

    @classmethod
    def of(
        cls,
        learned: LearnedOutcomes,
        problem: Problem,
        best: FloatArray,
        rng: np.random.Generator,
    ) -> LikelihoodSurvey:
        """Of places drawn by the root of the expectation of the likelihood's square, by how plausible they
        are beforehand, and by how likely an evaluation succeeds there: all alike, each by how much of that
        expectation is known. ``best`` (K, D), K >= 0, are the best fits that were told.
        """
        domain, beforehand = problem.domain, problem.beforehand
        groups = TargetLikelihood.of(domain, learned.modelled.function, learned.groups).groups

        def density(points: FloatArray) -> FloatArray:
            X = domain.embed(points)
            likely = 0.0 if learned.success is None else learned.success.values(X)
            known = 0.0 if beforehand is None else beforehand.log(domain, points)
            return np.asarray(0.5 * _log_second_moment(_at(groups, X)) + likely + known)

        points = likely_places(density, domain, best, PLACES, rng)
        places = domain.embed(points)
        at = _at(groups, places)
        return cls(points, places, at, -_log_second_moment(at))

    def asked(self) -> LogLikelihoodLearned:
        """What an evaluation takes beside what the models hold of what runs by now."""
        return LogLikelihoodLearned([GroupTaken.of(one, self.places) for one in self.at], self.log_weights)


def _at(groups: Sequence[FittedGroup], X: FloatArray) -> tuple[GroupAtPlaces, ...]:
    return tuple(GroupAtPlaces.of(one, X) for one in groups)


def _log_second_moment(at: Sequence[GroupAtPlaces]) -> FloatArray:
    return np.asarray(sum(one.log_square(one.variances) for one in at))
