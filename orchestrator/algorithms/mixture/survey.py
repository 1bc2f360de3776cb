"""What mixtures do not know of whole functions, and what an evaluation would take of it.

The variance of a mixture is what each hypothesis does not know, and what lies between them. By how much an
evaluation lowers the first is known beforehand; which hypothesis is right, only its value tells.

Notation: P places all over a domain, M members; D coordinates, E embedded columns, k points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.acquisition.integrated_variance import LogTaken, VarianceTaken
from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.covariances_with import covariances_with
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain

# Beside the noise of an evaluation, standardised: what is known to so much is not looked for.
ROUNDING = 1e-8


@dataclass(frozen=True, eq=False, slots=True)
class _Seen:
    """By one member: (P,) means and deviations, and what a deviation of 1 on its own scale is worth, (P,)."""

    means: FloatArray
    deviations: FloatArray
    units: FloatArray


@dataclass(frozen=True, eq=False)
class SurveyedObjective:
    """What is believed of one, at (P, E) ``places``, measured in the ``deviation`` > 0 of its values."""

    belief: MixtureBelief
    places: FloatArray
    deviation: float

    @cached_property
    def _seen(self) -> list[_Seen]:
        return [self._seen_by(member) for member in self.belief.members]

    def _seen_by(self, member: Member) -> _Seen:
        mean, variance = member.posterior.mean_and_variance(self.places)
        own = np.sqrt(variance + member.unresolved_variance)
        middle = member.scale.undo(mean) / self.deviation
        if member.scale.warp is None:
            units = np.full(len(mean), member.scale.scale / self.deviation)
        else:
            # As `Standardisation.undo_prediction`: on the side of the tail a warp may have no end.
            low, high = (member.scale.undo(mean + side * own) / self.deviation for side in (-1.0, 1.0))
            units = np.minimum(high - middle, middle - low) / own
        return _Seen(middle, units * own, units)

    @property
    def unknown(self) -> FloatArray:
        """(P,) the variance of the mixture."""
        weights = self.belief.weights
        means = np.array([seen.means for seen in self._seen])
        deviations = np.array([seen.deviations for seen in self._seen])
        return np.asarray(weights @ (deviations**2 + (means - weights @ means) ** 2))

    def taken(self, shares: FloatArray) -> list[VarianceTaken]:
        """What an evaluation takes from each member, places counting for (P,) ``shares``."""
        return [
            VarianceTaken(
                member.posterior,
                covariances_with(member.drawable, self.places),
                weight * shares * seen.units**2,
                member.noise_variance + member.unresolved_variance + ROUNDING,
            )
            for member, weight, seen in zip(self.belief.members, self.belief.weights, self._seen, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class Survey:
    """Of one objective or several, which count alike, at (P, D) ``points``; ``shares`` (P,) sum to 1."""

    objectives: Sequence[SurveyedObjective]
    points: FloatArray
    shares: FloatArray

    @classmethod
    def of(
        cls,
        beliefs: Sequence[MixtureBelief],
        told: Sequence[FloatArray],
        domain: Domain,
        points: FloatArray,
        weights: FloatArray,
    ) -> Survey:
        """Of objectives with (n,) values ``told`` of each, NaN where one is not known. ``weights`` (P,) >= 0
        are those of the points, which count alike if all are 0.
        """
        places = domain.embed(points)
        objectives = [
            SurveyedObjective(belief, places, Standardisation.of(values[~np.isnan(values)]).scale)
            for belief, values in zip(beliefs, told, strict=True)
        ]
        weights = weights if weights.max() > 0.0 else np.ones(len(points))
        relative = weights / weights.max()
        return cls(objectives, points, relative / relative.sum())

    @cached_property
    def unknown(self) -> FloatArray:
        """(P,) the variance that is left at each place, averaged over objectives."""
        return np.asarray(np.mean([objective.unknown for objective in self.objectives], axis=0))

    @property
    def deviation(self) -> float:
        """The root of its average over the places."""
        return math.sqrt(self.shares @ self.unknown)

    def least_known(self, count: int) -> FloatArray:
        """(count, D) the points of which least is known, as far as they count."""
        return self.points[np.argsort(-self.shares * self.unknown, kind="stable")[:count]]

    @property
    def acquisition(self) -> LogTaken:
        """What an evaluation takes of the average variance, while the beliefs stay as they are."""
        shares = self.shares / len(self.objectives)
        return LogTaken([part for one in self.objectives for part in one.taken(shares)])

    def learned(self, log_taken: float) -> float:
        """A value of the `acquisition` as a part of what is unknown."""
        return math.exp(log_taken) / self.deviation**2

    def hallucinating(self, X: FloatArray) -> AbstractContextManager[None]:
        """Within the block (k, E) points count as evaluated. Nothing else is to be asked for before it."""
        return in_all(objective.belief.hallucinating(X) for objective in self.objectives)
