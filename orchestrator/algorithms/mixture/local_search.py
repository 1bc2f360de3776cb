"""Where `auto` looks closely: one region at a time, the model of it, and which trials it has earned.

Where values are noisy, points are judged by what is believed of them instead: methods that judge take
``believed`` for that, and None where values are what they are.

Notation: D coordinates, n points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.gaussian_process.believed_best import Believed, Mean
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Member
from orchestrator.algorithms.mixture.ground import Ground
from orchestrator.algorithms.mixture.in_region import in_region, regional
from orchestrator.algorithms.mixture.kept import results
from orchestrator.algorithms.mixture.local_credit import LocalCredit
from orchestrator.algorithms.mixture.proposal import Proposal
from orchestrator.algorithms.mixture.search_region import (
    ALONE,
    BESIDE_OTHERS,
    SearchRegion,
    next_centre,
    proportions,
)
from orchestrator.arrays import FloatArray

# The region's quarter is not for a trial that promises less than this part of what the best value is above
# the median.
NEGLIGIBLE = 1e-5


class LocalSearch:
    """The ``region``, if there is one; its model, once a refit has brought it; and those exhausted before."""

    def __init__(self, problem: Problem, history: History) -> None:
        self._problem = problem
        self._domain = problem.sought
        self._history = history
        self._model: Member | None = None
        self._exhausted: list[FloatArray] = []
        self._credit = LocalCredit()
        self.region: SearchRegion | None = None

    @property
    def exhausted(self) -> int:
        """How many regions are."""
        return len(self._exhausted)

    @property
    def hyperparameters(self) -> dict[str, Mapping[str, Any]]:
        """Those of its model by name, if there is one."""
        if self._model is None:
            return {}
        return {regional(self._model): self._model.found.hyperparameters.to_json()}

    @property
    def notes(self) -> list[str]:
        """A sentence on the region, if there is one."""
        if self.region is None:
            return []
        where = "the best point elsewhere" if self._exhausted else "the best point"
        # No trial is the region's that is asked for while parameters are held.
        held = bool((self._history.apart & self._history.full).any())
        return [
            f"region of side {self.region.length:.3g} about {where}; "
            f"{100.0 * self._credit.share:.0f} % of the suggestions {'that hold nothing ' if held else ''}"
            "are for it"
        ]

    def region_to_model(self, believed: Believed) -> SearchRegion | None:
        """What a refit is to model: the region there is, else the next one; None if nowhere is left."""
        return self.region or self._next_region(believed)

    def is_chosen(self, trial: int) -> bool:
        """Whether a trial is the region's, by what it has earned."""
        return self._credit.chooses_region(trial)

    def is_owed(self, proposal: Proposal, trial: int) -> bool:
        """Whether a trial is the region's in any case: one of its quarter, for more than the last digits."""
        negligible = NEGLIGIBLE * self._history.above_median
        above = negligible == 0.0 or proposal.log_gain > math.log(negligible)
        return above and self._credit.owes_region(trial)

    def proposal(self, ground: Ground) -> Proposal | None:
        """A point of the region; None while it has no model, and where none of it may be suggested."""
        if self._model is None or self.region is None:
            return None
        return in_region(self._model, self.region, ground)

    def learn(self, row: int) -> None:
        """Take one result into the model, if it is near and has a value."""
        if self._model is None or self.region is None or np.isnan(self._history.values[row]):
            return
        if self.region.contains(self._history.points[row]):
            self._model.learn(results(self._problem, self._history, [row]))

    def follow(self, row: int, believed: Believed, *, held: bool = False) -> None:
        """Move, grow, shrink or end the region after a result, and note what it has earned. Of one that was
        asked for while parameters were ``held``, only that it is better says something of the region.
        """
        region, point = self.region, self._history.points[row]
        if region is None or not self._domain.feasible(point[None, :])[0] or not self._history.full[row]:
            return
        told = float(self._history.values[row])
        # What does not satisfy constraints on outcomes, or was only foreseen, is no success, however good.
        value = told if self._history.is_satisfying(row) else None
        if value is not None and believed is not None:
            best, value = (float(v) for v in believed(np.vstack([region.centre, point])))
            region = replace(region, best=best)
        if not held:
            self._credit = self._credit.after(region.contains(point), region.is_gain(value))
        elif value is None or value <= region.best:
            return
        moved = region.after(np.array(point), value)
        if moved.exhausted or self._all_told(moved):
            self._exhausted.append(moved.centre)
            self.region = self._model = None
        else:
            self.region = moved

    def adopt(self, payload: Mapping[str, Any], believed: Believed) -> None:
        """Take over the model of a refit, unless its region was exhausted in the meantime. A region about
        what was set aside is none.
        """
        aside = self._history.points[self._history.aside]
        if self.region is not None and (aside == self.region.centre).all(axis=1).any():
            self.region = self._model = None
        local = payload["local"]
        if local is None or payload["region"] != self.exhausted:
            return
        region = self.region_to_model(believed)
        if region is None:
            return
        if believed is not None:
            region = self._recentred(region, believed)
        near = results(self._problem, self._history, local["rows"])
        self._model = Member.from_json(local, self._problem.domain, near)
        # Half of the results near by lie below: as they close in on the top, so does what counts as a gain.
        spread = float(near.values.max() - np.median(near.values)) or region.spread
        sides = proportions(
            self._domain.embedding.of_coordinates(self._model.found.hyperparameters.length_scales)
        )
        self.region = replace(region, spread=spread, proportions=sides)

    def _all_told(self, region: SearchRegion) -> bool:
        """Whether there is no point in a region that is not told: where parameters have few values."""
        box = region.box
        if box.size > len(self._history):
            return False
        points = self._history.points
        if self._domain.ties is not None:
            points = points[self._domain.feasible(points)]
        return len(np.unique(points[box.contains(points)], axis=0)) >= box.size

    def _next_region(self, believed: Believed) -> SearchRegion | None:
        """About the best point away from where regions were exhausted."""
        domain, points, values = self._domain, self._history.points, self._history.values
        if believed is not None:
            values = np.where(np.isnan(values), np.nan, believed(points))
        if domain.ties is not None:
            values = np.where(domain.feasible(points), values, np.nan)
        values = np.where(self._history.satisfying, values, np.nan)
        row = next_centre(domain, points, values, self._exhausted)
        if row is None:
            return None
        spread = float(np.nanmax(values) - np.nanmin(values)) or 1.0
        pace = BESIDE_OTHERS if self._problem.parallel > 1 else ALONE
        even = np.ones(domain.dimension)
        return SearchRegion(domain, np.array(points[row]), float(values[row]), spread, even, pace)

    def _recentred(self, region: SearchRegion, believed: Mean) -> SearchRegion:
        """About the point in it that is believed best by now."""
        points = self._history.points[self._history.satisfying]
        if self._domain.ties is not None:
            points = points[self._domain.feasible(points)]
        inside = points[region.box.contains(points)]
        if len(inside) == 0:
            return region
        expected = believed(inside)
        best = int(np.argmax(expected))
        return replace(region, centre=np.array(inside[best]), best=float(expected[best]))
