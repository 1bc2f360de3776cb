"""Where an acquisition of BoTorch's is highest, by BoTorch's own optimisers, among points not tried yet.

Notation: D coordinates, K columns, n points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from botorch.acquisition import AcquisitionFunction
from botorch.optim import optimize_acqf
from botorch.optim.optimize_mixed import optimize_acqf_mixed_alternating

from orchestrator.algorithms.exclusion import Exclusion
from orchestrator.algorithms.peers.botorch_columns import Columns
from orchestrator.arrays import FloatArray

# A domain of so many points is gone through instead; so is a list of rows.
ENUMERATED = 4096
# Points looked at where the optimiser's own were all tried before, and how far some of them lie from its
# best.
ELSEWHERE = 512
NEARBY = 0.05
AT_ONCE = 256


@dataclass(frozen=True)
class Search:
    """``restarts`` of the gradient ascent, from the best of ``raw_samples`` points."""

    restarts: int
    raw_samples: int

    def maximise(
        self,
        acquisition: AcquisitionFunction,
        columns: Columns,
        exclusion: Exclusion,
        rng: np.random.Generator,
    ) -> FloatArray | None:
        """A (D,) feasible point, or None if none was found that may be suggested."""
        if columns.domain.rows is not None:
            assert columns.domain.listed is not None
            return _best(acquisition, columns, exclusion, columns.domain.listed)
        if columns.domain.size <= ENUMERATED:
            grids = np.meshgrid(*(c.grid for c in columns.domain.coordinates), indexing="ij")
            return _best(acquisition, columns, exclusion, np.stack([g.ravel() for g in grids], axis=1))
        found = self._optimised(acquisition, columns)
        allowed = np.flatnonzero(exclusion.allows(found))
        if len(allowed):
            return np.asarray(found[allowed[0]])
        return _best(acquisition, columns, exclusion, _elsewhere(columns, found[0], rng))

    def _optimised(self, acquisition: AcquisitionFunction, columns: Columns) -> FloatArray:
        """(n, D) optima, the best first."""
        if columns.categories or columns.positions:
            candidates, _ = optimize_acqf_mixed_alternating(
                acquisition,
                columns.bounds,
                discrete_dims=columns.positions,
                cat_dims={column: range(count) for column, count in columns.categories.items()},
                q=1,
                raw_samples=self.raw_samples,
                num_restarts=self.restarts,
            )
            return columns.points(candidates)
        candidates, values = optimize_acqf(
            acquisition,
            columns.bounds,
            q=1,
            num_restarts=self.restarts,
            raw_samples=self.raw_samples,
            return_best_only=False,
        )
        order = torch.argsort(values, descending=True, stable=True)
        return columns.points(candidates[order, 0])


def _elsewhere(columns: Columns, point: FloatArray, rng: np.random.Generator) -> FloatArray:
    """(n, D) feasible points: anywhere, near a point, and with one discrete coordinate of it changed."""
    domain = columns.domain
    near = domain.snap(point + NEARBY * rng.standard_normal((ELSEWHERE, domain.dimension)))
    near[:, domain.is_categorical] = point[domain.is_categorical]
    changed = [domain.alternatives(point, i) for i, c in enumerate(domain.coordinates) if c.positions]
    return np.concatenate([domain.sample(ELSEWHERE, rng), near, *changed])


def _best(
    acquisition: AcquisitionFunction, columns: Columns, exclusion: Exclusion, points: FloatArray
) -> FloatArray | None:
    """The (D,) one of (n, D) points where the acquisition is highest, of those that may be suggested."""
    points = points[exclusion.allows(points)]
    if len(points) == 0:
        return None
    with torch.no_grad():
        parts = columns.tensor(points).unsqueeze(1).split(AT_ONCE)
        values = torch.cat([acquisition(part) for part in parts])
    return np.asarray(points[int(values.argmax())])
