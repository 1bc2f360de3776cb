"""What an evaluation is worth where there are to be best settings for each condition, in logarithms.

Notation: D coordinates, C of them conditions; k designs, q conditions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.exclusion import Exclusion
from orchestrator.algorithms.for_each.believed_profile import BelievedProfile
from orchestrator.algorithms.mixture.outcome_belief import OutcomeBelief
from orchestrator.arrays import FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class Worth:
    """By a ``profile``: what is gained, as an evaluation is likely to succeed and for its time, where the
    ``outcomes`` say so, of what the ``exclusion`` allows.
    """

    profile: BelievedProfile
    outcomes: OutcomeBelief | None
    exclusion: Exclusion

    def of(self, designs: FloatArray, conditions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(k q, D) points, each of (k, D) designs in each of (q, C) conditions, and (k q,) what they are
        worth: minus infinity of what is not allowed.
        """
        points = np.repeat(designs, len(conditions), axis=0)
        points[:, self._coordinates] = np.tile(conditions, (len(designs), 1))
        X = self.profile.grounds.domain.embed(points)
        scores = self.profile.log_gains(designs, conditions).ravel()
        if self.outcomes is not None and self.outcomes.success is not None:
            scores = scores + self.outcomes.success.log_success.values(X)
        if self.outcomes is not None and self.outcomes.duration is not None:
            scores = scores + self.outcomes.duration.quickness.values(X)
        return points, np.where(self.exclusion.allows(points), scores, -np.inf)

    def gain(self, point: FloatArray) -> float:
        """What an evaluation at a (D,) point is expected to add to the best of each condition, on average, in
        the objective's units.
        """
        return float(np.exp(self.profile.log_gains(point[None, :], point[None, self._coordinates])[0, 0]))

    @property
    def _coordinates(self) -> list[int]:
        return list(self.profile.grounds.in_use.coordinates)
