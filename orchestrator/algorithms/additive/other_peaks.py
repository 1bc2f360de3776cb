"""Where an additive algorithm looks once nothing is left to gain at the best point told.

First about other good points, as long as they have peaks of their own: a step towards a peak that is known
already does not count. Then about random points, the most promising of a few: where nothing is known, a bound
is highest in the corners of the domain, where next to nothing is likely to be.

Notation: D parameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.additive.algorithm import CONCEIVABLE, Choice, Climbed
from orchestrator.algorithms.additive.belief import TotalsBelief
from orchestrator.algorithms.additive.factor_functions import FactorFunctions
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.unit_cube.domain import Domain

Near = Callable[[FactorFunctions, FloatArray], Climbed]
"""Where an acquisition is highest within reach of a (D,) point."""

# In length-scales, of which none counts as longer than half the domain.
REACH, LONGEST = 0.5, 0.5
# So far, in reaches, a point may lie on the flank of a peak.
FLANK = 3.0
# How many of the good points are tried: so many factors' worth, as a try costs every factor some tables.
FEWEST_TRIED, MOST_TRIED, FACTORS_TRIED = 2, 6, 160
# A step up another peak gains so much at least, in deviations of all values told.
STEP = 0.1
# Times the weight on deviations, about another good point, and about a random one.
CAUTIOUS, BOLD = 0.5, 2.0
RANDOM_POINTS = 64


def reach_of(belief: TotalsBelief) -> FloatArray:
    """(D,) how far from a point its value says something, by the most probable hypothesis."""
    posterior = belief.hypotheses[0].posterior
    assert isinstance(posterior, AdditiveGP)
    return REACH * np.minimum(posterior.hyperparameters.length_scales, LONGEST)


def conceivable_gain(belief: TotalsBelief, point: FloatArray, incumbents: FloatArray) -> float:
    """By how much the total at a (D,) point might exceed that of the best of (k, D) incumbents.

    What is not known of the incumbent's total either (rounding, noise) does not count.
    """
    mean, variance = belief.mean_and_variance(np.vstack([point, incumbents]))
    best = 1 + int(np.argmax(mean[1:]))
    deviation = math.sqrt(max(float(variance[0] - variance[best]), 0.0))
    return float(mean[0] - mean[best]) + CONCEIVABLE * deviation


@dataclass(frozen=True, eq=False)
class OtherPeaks:
    """``good`` (k, D), k >= 1: the best points told, the highest first, where nothing is left to gain."""

    domain: Domain
    belief: TotalsBelief
    good: FloatArray
    near: Near

    def choose(self, acquisition: FactorFunctions, rng: np.random.Generator) -> Choice:
        """A step up another peak, or a point about a random one."""
        cautious = acquisition.bolder(CAUTIOUS)
        step = self._step(cautious)
        if step is not None:
            return Choice(cautious, step)
        bold = acquisition.bolder(BOLD)
        random = self.domain.sample(RANDOM_POINTS, rng)
        away = random[self._reaches(random, self.good[0]) > 1.0]
        places = away if len(away) else random
        return Choice(bold, self.near(bold, places[int(np.argmax(bold.objective.values(places)))]))

    def _step(self, acquisition: FactorFunctions) -> Climbed | None:
        """From the best of the points told that has a peak of its own, if there is one."""
        known = [self.good[0]]
        tries = min(max(FACTORS_TRIED // acquisition.graph.size, FEWEST_TRIED), MOST_TRIED)
        for point in self.good[1:]:
            if len(known) > tries:
                break
            if min(self._reaches(point[None, :], peak)[0] for peak in known) <= 1.0:
                continue
            found = self.near(acquisition, point)
            gain = conceivable_gain(self.belief, found.point, point[None, :])
            if gain > STEP and not any(self._leads_to(peak, point, found.point) for peak in known):
                return found
            known.append(point)
        return None

    def _leads_to(self, peak: FloatArray, start: FloatArray, end: FloatArray) -> bool:
        """Whether a step from the flank of a peak is one towards it."""
        before, after = (self.domain.towards(one, peak) - peak for one in (start, end))
        closer = np.linalg.norm(after) < np.linalg.norm(before)
        return bool(closer and self._reaches(start[None, :], peak)[0] < FLANK)

    def _reaches(self, X: FloatArray, x: FloatArray) -> FloatArray:
        """(m,) distances of (m, D) points from a (D,) point, in reaches, by the farthest coordinate."""
        near = self.domain.towards(X, x)
        distances: FloatArray = (np.abs(near - x) / reach_of(self.belief)).max(axis=1)
        return distances
