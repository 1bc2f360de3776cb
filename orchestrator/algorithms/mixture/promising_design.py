"""The points to begin with where a person said that good settings lie: half of them lie as that says.

Notation: D coordinates, R rows, n points.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import numpy as np

from orchestrator.algorithms.ask_and_tell.row_design import RowDesign
from orchestrator.algorithms.ask_and_tell.start_design import LEAST_SHARE, OF_DESIGN, StartDesign
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.exclusion import Exclusion
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.hunch import Hunch
from orchestrator.unit_cube.rows import Rows

BLOCK_OF_SHARE = 10
"""By the first 2^10 points it is seen how many are feasible."""
SAME = 1e-9
"""Positions that are no farther apart are one: values are written and read again."""


class PromisingDesign(StartDesign):
    """Of a ``hunch``: every other trial, from the second, has a point of the start design, one after the
    other, which find out where it is wrong. Those between lie as the hunch says: numbers that fill the cube
    evenly, by its quantiles along each coordinate. Of one sequence every other number is not spread, and may
    lie in one half of a coordinate: each has its own.
    """

    def __init__(self, domain: Domain, seed: int, hunch: Hunch) -> None:
        super().__init__(domain, seed)
        self._hunch = hunch
        self._drawn_design = _Drawn(domain, seed, hunch)

    def within(self, domain: Domain) -> PromisingDesign:
        """See `StartDesign`."""
        return self if domain is self._domain else PromisingDesign(domain, self._seed, self._hunch)

    def point(self, trial: int) -> FloatArray:
        """See `StartDesign`."""
        return super().point(trial // 2) if trial % 2 else self._drawn_design.point(trial // 2)

    def suggest(self, trial: int, exclusion: Exclusion) -> Suggestion:
        """See `StartDesign`."""
        suggested = super().suggest(trial, exclusion)
        as_it_says = not trial % 2 and np.array_equal(suggested.point, self.point(trial))
        return of_a_hunch(suggested.point) if as_it_says else suggested

    def middle(self, tried: FloatArray) -> FloatArray | None:
        """(D,) the point in the middle of the hunch, which whoever has it would try first; None if it is
        among (n, D) points, whatever is held.
        """
        free = ~self._domain.is_held
        there = (np.abs(tried[:, free] - self._middle[free]) <= SAME).all(axis=1)
        return None if there.any() else self._middle

    @cached_property
    def _middle(self) -> FloatArray:
        return self._hunch.middle(self._domain)


def of_a_hunch(point: FloatArray) -> Suggestion:
    """A (D,) point to begin with that lies as one says."""
    return Suggestion(point, why={"source": OF_DESIGN, "promising": True})


class _Drawn(StartDesign):
    """Points that lie as a hunch says. Where ties leave little, they are drawn of feasible ones, and rows of
    all rows, by how promising they are, and each once.
    """

    purpose: ClassVar[str] = "start design where promising"

    def __init__(self, domain: Domain, seed: int, hunch: Hunch) -> None:
        super().__init__(domain, seed)
        self._hunch = hunch
        if domain.rows is not None:
            self._rows = _DrawnRows(domain, domain.rows, seed, hunch)

    @cached_property
    def share(self) -> float:
        """Of what lies as the hunch says: constraints may leave much of the domain, and none of that."""
        whole = self._domain.share
        if whole < LEAST_SHARE or self._domain.ties is None:
            return whole
        points = self._domain.spread(self._sobol(BLOCK_OF_SHARE))
        return float(self._domain.feasible(points).mean())

    def _sequence(self, block: int) -> FloatArray:
        points = super()._sequence(block)
        if self._rows is not None or self.share >= LEAST_SHARE:
            return points
        known = len(self._points)
        rng = stream(self._seed, "order of what is promising", block)
        order = _drawn(self._hunch.log(self._domain, points[known:]), rng)
        return np.vstack([self._points, points[known:][order]])

    def _sobol(self, block: int) -> FloatArray:
        return self._hunch.drawn(super()._sobol(block))


class _DrawnRows(RowDesign):
    """An order of all rows of a domain, drawn by how promising a hunch has them."""

    def __init__(self, domain: Domain, rows: Rows, seed: int, hunch: Hunch) -> None:
        super().__init__(rows, seed)
        points = rows.put(np.zeros((len(rows), domain.dimension)), np.arange(len(rows)))
        self._drawn_order = _drawn(hunch.log(domain, points), stream(seed, "rows where promising"))

    def numbers(self, count: int) -> IndexArray:
        """See `RowDesign`."""
        return np.resize(self._drawn_order, count)


def _drawn(logs: FloatArray, rng: np.random.Generator) -> IndexArray:
    """(n,) an order of draws without replacement, by (n,) logarithms of how likely each is to be drawn.

    Source: the Gumbel-max trick, Yellott 1977.
    """
    return np.argsort(-(logs + rng.gumbel(size=len(logs))), kind="stable")
