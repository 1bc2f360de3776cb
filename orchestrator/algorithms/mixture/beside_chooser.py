"""Where to evaluate for the sake of a point whose settings are off: there, or beside it.

What counts is the average over where the point comes out, and evaluations are as set. So a value at the point
may tell less of it than one at a place where it may come out: least where the point has been evaluated
already.

Source: a point first, and then the evaluation that tells most of the integral over what is random there:
Toscano-Palmerin & Frazier 2022; Williams, Santner & Notz 2000.

Deviations: they choose both by one criterion, the integral over all evaluations that may follow.

Notation: D coordinates, M members, m ways to be off, k points that run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.mixture.belief import MixtureBelief
from orchestrator.algorithms.mixture.beside_a_clock import is_best_now
from orchestrator.algorithms.mixture.other_places import moved, part_told
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.settings_off import SettingsOff

# The point itself is tried unless another place tells more than so many times as much of its average; among
# the last trials, as nothing untried is recommended, unless that is so much more.
MORE, MUCH_MORE = 1.25, 4.0


@dataclass(frozen=True, eq=False, slots=True)
class BesideChooser:
    """Of a problem whose settings are ``off``."""

    off: SettingsOff

    def moved(
        self, chosen: Suggestion, values: MixtureBelief, averages: MixtureBelief, turn: Turn, *, ending: bool
    ) -> Suggestion:
        """A suggestion, or one of the places where it may come out, by what its members believe of ``values``
        and of their ``averages``; ``ending``: the trial is among the last. The point believed best now is
        tried as it is.
        """
        candidates = self._candidates(chosen.point, turn)
        told = self._told(candidates, averages, turn)
        worth = np.where(turn.exclusion.allows(candidates), told, 0.0)
        place = int(np.argmax(worth))
        if is_best_now(chosen) or worth[place] <= (MUCH_MORE if ending else MORE) * worth[0]:
            place = 0
        why = {"off": {"told": float(told[place]), "beside": place > 0}}
        return moved(chosen, candidates[place], turn.domain, values, why)

    def _candidates(self, point: FloatArray, turn: Turn) -> FloatArray:
        """(1 + m, D) at most: the point, and where it may come out and may be evaluated."""
        near = turn.domain.rounded(self.off.around(point[None, :]).points[0])
        return np.vstack([point, near[turn.domain.feasible(near)]])

    def _told(self, candidates: FloatArray, averages: MixtureBelief, turn: Turn) -> FloatArray:
        """(1 + m,) the part of what is not known of the average about the first that a value at each tells:
        by all members, as they are weighed.
        """
        X, busy = turn.domain.embed(candidates), turn.domain.embed(turn.running)
        each = [part_told(member, X, 0, busy) for member in averages.members]
        return np.asarray(averages.weights @ np.array(each))
