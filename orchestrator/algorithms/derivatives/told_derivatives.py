"""The derivatives that results brought, and of which of them models are made.

Notation: n results, D coordinates, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.history import History
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.numerics.growing_rows import GrowingRows
from orchestrator.surrogates.covariances.with_derivatives import (
    OF_A_VALUE,
    along,
    rows_of_derivatives,
    rows_of_values,
)
from orchestrator.surrogates.evidence.thinning import best_and_spread
from orchestrator.surrogates.evidence.with_derivatives import DerivativeData
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain

STEEPEST = 1e4
"""In deviations of values along a side of the cube. No model that is of use elsewhere has steeper ones: they
are of a solver that broke, or in other units, and would be taken for the noise of all."""


class ToldDerivatives:
    """(n, D) by coordinates of the unit cube, in the sense of maximisation, NaN where one is not known. Grows
    in place.
    """

    def __init__(self, domain: Domain, coordinates: Sequence[int]) -> None:
        self._domain = domain
        self._coordinates = np.array(coordinates, dtype=np.intp)
        self._rows = GrowingRows(np.float64, domain.dimension)

    def tell(self, observation: Observation) -> None:
        """Remember those of one result; none of one that failed, or along what does not count there."""
        told = None if observation.value is None else observation.derivatives
        if told is None:
            self._rows.append(np.nan)
            return
        counts = self._domain.active(observation.point[None, :])[0]
        self._rows.append(np.where(counts, told, np.nan))

    @property
    def rows(self) -> FloatArray:
        """(n, D)."""
        return self._rows.rows

    def brought(self, history: History) -> int:
        """How many results with a value brought some."""
        return int((np.isfinite(self.rows).any(axis=1) & ~np.isnan(history.values)).sum())

    @property
    def columns(self) -> IndexArray:
        """Which embedded columns derivatives are told along."""
        return np.flatnonzero(np.isin(self._domain.embedded_parameter, self._coordinates))

    def data(
        self,
        history: History,
        scale: Standardisation,
        noise: FloatArray,
        most: int,
        first: int | None = None,
    ) -> tuple[DerivativeData, int]:
        """About ``most`` rows of results with a value, of the ``first`` results: of values no more than half,
        then the derivatives of the best results and of the latest, in turn, and so of one at least. (n,)
        ``noise`` is standardised. With how many results the derivatives are of.
        """
        succeeded = np.flatnonzero(~np.isnan(history.values[:first]))
        ranked = history.values[succeeded]
        kept = succeeded[best_and_spread(ranked, max(1, most // 2))]
        spread = self._with_derivatives(succeeded, history, most - len(kept))
        kept = np.union1d(kept, spread)
        return self._of(kept, spread, history, scale, noise), len(spread)

    def drawn(
        self,
        history: History,
        scale: Standardisation,
        noise: FloatArray,
        most: int,
        rng: np.random.Generator,
    ) -> DerivativeData:
        """About ``most`` rows, as `data` has them, but of results that are drawn, whatever they came to."""
        order = rng.permutation(np.flatnonzero(~np.isnan(history.values)))
        kept = order[: max(1, most // 2)]
        some = order[np.isfinite(self.rows[order]).any(axis=1)]
        spread = self._fitting(some, most - len(kept))
        return self._of(np.union1d(kept, spread), spread, history, scale, noise)

    def where(self, data: DerivativeData) -> BoolArray:
        """(n, D) which derivatives are among data of these results."""
        found = np.zeros(self.rows.shape, dtype=bool)
        derived = along(data.rows) != OF_A_VALUE
        found[data.results[derived], self._domain.embedded_parameter[along(data.rows)[derived]]] = True
        return found

    def too_steep(self, history: History, scale: Standardisation) -> int:
        """How many are left out as steeper than `STEEPEST`, of results with a value."""
        succeeded = ~np.isnan(history.values)
        told, kept = np.isfinite(self.rows[succeeded]), self._standardised(history, scale)[succeeded]
        return int((told & np.isnan(kept)).sum())

    def _standardised(self, history: History, scale: Standardisation) -> FloatArray:
        """(n, D), NaN where one is not known, or too steep."""
        with np.errstate(over="ignore", invalid="ignore"):
            slopes = self.rows * scale.slopes(history.values)[:, None]
        return np.asarray(np.where(np.abs(slopes) <= STEEPEST, slopes, np.nan))

    def _of(
        self,
        kept: IndexArray,
        spread: IndexArray,
        history: History,
        scale: Standardisation,
        noise: FloatArray,
    ) -> DerivativeData:
        """Of values of the results that are ``kept``, and derivatives of some; both ascending."""
        X, told = self._domain.embed(history.points), self._standardised(history, scale)
        rows, y = [rows_of_values(X[kept])], [scale.apply(history.values[kept])]
        results, noises = [kept], [noise[kept]]
        for result in spread:
            slopes = told[result][self._domain.embedded_parameter[self.columns]]
            known = ~np.isnan(slopes)
            rows.append(rows_of_derivatives(X[result], self.columns[known]))
            y.append(slopes[known])
            results.append(np.full(int(known.sum()), result))
            noises.append(np.zeros(int(known.sum())))
        return DerivativeData(
            np.vstack(rows),
            np.concatenate(y),
            np.concatenate(results),
            np.concatenate(noises),
            self._domain.embedded_aspect,
        )

    def _with_derivatives(self, succeeded: IndexArray, history: History, room: int) -> IndexArray:
        """The best and the latest, in turn, of the results with derivatives, as many as there is room for;
        ascending.
        """
        counts = np.isfinite(self.rows).sum(axis=1)
        some = succeeded[counts[succeeded] > 0]
        best = some[np.argsort(-history.values[some], kind="stable")]
        in_turn = np.stack([best, some[::-1]], axis=1).ravel()
        _, first = np.unique(in_turn, return_index=True)
        order = in_turn[np.sort(first)]
        return self._fitting(order, room)

    def _fitting(self, order: IndexArray, room: int) -> IndexArray:
        """The first of some results whose derivatives there is room for, one at least; ascending."""
        fitting = np.cumsum(np.isfinite(self.rows[order]).sum(axis=1)) <= room
        fitting[:1] = True
        return np.sort(order[fitting])
