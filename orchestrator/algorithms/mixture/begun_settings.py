"""Settings that were looked at less closely, from whose evaluations others may go on.

Notation: D coordinates, n results told, k points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.exclusion import keys
from orchestrator.arrays import FloatArray
from orchestrator.numerics.growing_rows import GrowingRows
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels


@dataclass(frozen=True, eq=False, slots=True)
class Begun:
    """The closest look at some settings: its ``trial``, which was the ``row``-th result told, and the (D,)
    ``point`` with the ``position`` of how closely that was.
    """

    trial: int
    row: int
    point: FloatArray
    position: float


class BegunSettings:
    """Those of a ``domain``, of which the ``levels`` say how closely evaluations look. Grows in place.

    Only trials leave something to go on from, and of these only what came to its end with a value.
    """

    def __init__(self, domain: Domain, levels: Levels) -> None:
        self._domain = domain
        self._levels = levels
        self._closest: dict[bytes, Begun | None] = {}
        self._positions: dict[int, float] = {}
        self._from = GrowingRows(np.float64)

    def tell(self, observation: Observation) -> None:
        """One result, in the order in which `History` is told. O(D)."""
        point = self._domain.rounded(observation.point)
        position = float(point[self._levels.coordinate])
        row = len(self._from)
        self._from.append(self._positions.get(observation.continues, np.nan))
        if observation.trial < 1:
            return
        self._positions[observation.trial] = position
        (key,) = self._keys(point[None, :])
        before = self._closest.get(key)
        if key in self._closest and (before is None or not self._is_closer(position, before.position)):
            return
        # What failed, or was stopped, would do so again.
        whole = observation.value is not None and not observation.foreseen
        self._closest[key] = Begun(observation.trial, row, point, position) if whole else None

    @property
    def gone_on_from(self) -> FloatArray:
        """(n,) the position that each result told went on from; NaN if from none."""
        return self._from.rows

    def of(self, point: FloatArray) -> Begun | None:
        """What an evaluation at a (D,) point would go on from, if anything."""
        (key,) = self._keys(self._domain.rounded(point)[None, :])
        begun = self._closest.get(key)
        position = float(point[self._levels.coordinate])
        return begun if begun is not None and self._is_closer(position, begun.position) else None

    def before(self, points: FloatArray) -> FloatArray:
        """(k,) the positions that evaluations at (k, D) points go on from; NaN if from none."""
        found = (self.of(point) for point in points)
        return np.array([np.nan if begun is None else begun.position for begun in found])

    def left(self, values: FloatArray, running: FloatArray) -> Iterator[Begun]:
        """Those that may be looked at more closely, by (n,) values as they count now, NaN of failures; not
        those of which an evaluation runs.
        """
        busy = set(self._keys(self._domain.rounded(running))) if len(running) else set()
        for key, begun in self._closest.items():
            if begun is None or key in busy or np.isnan(values[begun.row]):
                continue
            if begun.position != self._levels.full:
                yield begun

    def _is_closer(self, position: float, than: float) -> bool:
        return bool(self._levels.are_closer(np.array([position]), than)[0])

    def _keys(self, points: FloatArray) -> list[bytes]:
        """Equal for those that differ in how closely they look, if at all."""
        alike = points.copy()
        alike[:, self._levels.coordinate] = self._levels.full
        return keys(alike)
