"""The model of `auto` in the region where it looks closely: of the results there, and on their own scale.

Notation: D parameters, n results.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.hypotheses import Found, Hypothesis, on_either_scale
from orchestrator.algorithms.mixture.hypothesis_fitter import AGAIN
from orchestrator.algorithms.mixture.hypothesis_weighing import AFTER_A_GLANCE, Weighing
from orchestrator.algorithms.mixture.kept import results
from orchestrator.algorithms.mixture.search_region import SearchRegion
from orchestrator.arrays import IndexArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.scales.warp import Warp

# The local model: of half as many results again as a paraboloid has coefficients.
NEIGHBOURS, NEIGHBOURS_A_COEFFICIENT = 30, 1.5
MOST_LOCAL = 200
LOCAL = on_either_scale(
    Hypothesis("joint", "rbf", False, False),
    Hypothesis("joint", "matern-5/2", False, False),
    Hypothesis("joint", "rbf", True, False),
    Hypothesis("pairs", "rbf", True, False),
    Hypothesis("expansion", "rbf", True, False),
)
"""What the function may be like in the region."""


@dataclass(frozen=True, eq=False)
class LocalRefit:
    """``last`` is the region's model of the last refit, if there is one; ``leader`` the one everywhere, and
    ``offset_variance`` that of blocks' offsets.
    """

    problem: Problem
    history: History
    region: SearchRegion
    last: Found | None
    leader: Found | None
    offset_variance: float = 0.0

    def compute(self, *, weighing: bool) -> dict[str, Any]:
        """The likeliest model of the results in the region, and of as many near by as it takes.

        Where hypotheses are weighed, all of `LOCAL` compete; in between, the one that was found last time is
        fitted again, if it still is possible. Waves that lead everywhere compete at any time.
        """
        rows = self._rows()
        held = results(self.problem, self.history, rows).with_offset_variance(self.offset_variance)
        warp = None if self.problem.blocks else Warp.fitted(held.values)
        centre = self.problem.domain.embed(self.region.centre[None, :])[0]
        told = Weighing.of(self.problem, held, warp, self.history.successes, centre)
        possible = told.possible(LOCAL)
        waves = self._waves(told)
        last = () if self.last is None else (self.last,)
        near: list[Found] = []
        if not last or weighing or not (waves or last[0].hypothesis in possible):
            near = told.weighed(possible, None, last)
        elif last[0].hypothesis in possible:
            near = told.fitted([last[0].hypothesis], None, last, AGAIN)
        best = max([*near, *waves], key=lambda found: found.log_probability)
        scale = told.scales[best.hypothesis.warped]
        return {"found": best.to_json(), "scale": scale.to_json(), "rows": [int(row) for row in rows]}

    def _rows(self) -> IndexArray:
        """Of the nearest results with a value, in the order told."""
        region, history = self.region, self.history
        near = self.problem.domain.towards(history.points, region.centre)
        distances = (np.abs(near - region.centre) / region.proportions).max(axis=1)
        successes = np.flatnonzero(~np.isnan(history.values))
        order = successes[np.argsort(distances[successes], kind="stable")]
        D = self.problem.domain.dimension
        least = max(NEIGHBOURS, math.ceil(NEIGHBOURS_A_COEFFICIENT * (D + 1) * (D + 2) / 2))
        count = min(max(least, int((distances[successes] <= region.length).sum())), MOST_LOCAL)
        return np.sort(order[:count])

    def _waves(self, told: Weighing) -> list[Found]:
        """The waves that lead everywhere, as the results near by show them; none if none lead."""
        leader, last = self.leader, self.last
        if (
            leader is None
            or leader.hypothesis.form != "waves"
            or leader.hypothesis.warped not in told.fitters
        ):
            return []
        warm = leader if last is None or last.hypothesis != leader.hypothesis else last
        try:
            return [told.fitters[warm.hypothesis.warped].fit(warm.hypothesis, None, warm, AFTER_A_GLANCE)]
        except FactorisationError:
            return []
