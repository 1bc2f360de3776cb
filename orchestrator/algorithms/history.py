"""What an algorithm was told.

Notation: D coordinates, n results told, some of them failures, C slacks of constraints on outcomes, G
objectives beside the value.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

import numpy as np

from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.exclusion import Exclusion, keys_in, used_by
from orchestrator.algorithms.exclusion import untried as untried  # algorithms of others have had it from here
from orchestrator.algorithms.violations import violations
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.numerics.growing_rows import GrowingRows
from orchestrator.surrogates.covariances.block_offsets import OF_NONE
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels

# So many of the best are kept in order as they come in.
LEADERS = 64


class History:
    """Results in the order told. Grows in place; the arrays it gives out are views.

    ``successes`` counts those with a value, ``penalties`` values that were told and count as failures.
    ``outcome_constraints`` is C, how many slacks each of them brings, and ``further_objectives`` is G. Of
    those below full ``fidelity``, where there is a choice, none is the best. ``offset_variance`` is what is
    believed of that of blocks' offsets, by the refit that was adopted last.
    """

    def __init__(
        self,
        domain: Domain,
        outcome_constraints: int = 0,
        further_objectives: int = 0,
        fidelity: Levels | None = None,
        *,
        exact: bool = False,
    ) -> None:
        self._domain = domain
        self._exact = exact
        self._fidelity = fidelity
        self._keys: set[bytes] = set()
        self._places: set[bytes] = set()
        # Of each, whether it was known beforehand of where something was told already.
        self._again = GrowingRows(np.bool_)
        self._known_again = 0
        self._trials: list[int] = []
        self._points = GrowingRows(np.float64, domain.dimension)
        self._values = GrowingRows(np.float64)
        self._variances = GrowingRows(np.float64)
        self._durations = GrowingRows(np.float64)
        self._slacks = GrowingRows(np.float64, outcome_constraints)
        self._further = GrowingRows(np.float64, further_objectives)
        self._blocks = GrowingRows(np.intp)
        self._block_numbers: dict[str, int] = {}
        self.offset_variance = 0.0
        self._foreseen, self._full, self._held = (GrowingRows(np.bool_) for _ in range(3))
        # (minus the value, row), ascending: among equals the first told leads.
        self._leaders: list[tuple[float, int]] = []
        self._highest_failure = -np.inf
        # What was told of results that were set aside.
        self._aside: dict[int, float] = {}
        # Of the successes, those that were not only foreseen, or looked at less closely.
        self._measured = 0
        self.successes = self.penalties = 0

    def __len__(self) -> int:
        """n, failures included."""
        return len(self._trials)

    def designed(self, rows: Sequence[int] | None = None) -> int:
        """How many points of a design all results, or those of some ``rows``, stand for. Of those that are
        known from elsewhere at one point the first counts: a design is spread, and several say how noisy
        values are there. All of them do where no other point is left. O(1), or O(len(rows)).
        """
        told = len(self) if rows is None else len(rows)
        if len(self._places) >= self._domain.size:
            return told
        again = self._known_again if rows is None else int(np.count_nonzero(self._again.rows[list(rows)]))
        return told - again

    def tell(self, observation: Observation) -> None:
        """Remember one result. O(D), however many there are."""
        # What is told is true of where it was seen, whether or not it may be suggested.
        point = self._domain.rounded(observation.point)
        self._keys.update(used_by(self._domain, point))
        place = point.tobytes()
        # Known results are numbered from 0 downwards.
        again = observation.trial < 1 and place in self._places
        self._again.append(again)
        self._known_again += again
        self._places.add(place)
        value = observation.value
        if value is not None and value <= self._highest_failure:
            value = None
            self.penalties += 1
        full = self._fidelity is None or bool(self._fidelity.are_full(point[None, :])[0])
        if value is not None:
            self.successes += 1
            if full and not observation.foreseen:
                self._measured += 1
                insort(self._leaders, (-value, len(self)))
                del self._leaders[LEADERS:]
        self._trials.append(observation.trial)
        self._points.append(point)
        self._values.append(np.nan if value is None else value)
        self._variances.append(observation.variance or 0.0)
        self._durations.append(np.nan if observation.seconds is None else observation.seconds)
        self._slacks.append(np.nan if observation.slacks is None else observation.slacks)
        self._further.append(np.nan if observation.further is None else observation.further)
        # Of a block of failures alone no offset is known, and none is to be said.
        self._blocks.append(self._block_number(None if value is None else observation.block))
        self._foreseen.append(observation.foreseen)
        self._full.append(full)
        self._held.append(observation.held)

    def count_as_failed(self, highest: float) -> None:
        """Values up to this one are failures from now on, those told before and those to come. O(n)."""
        self._highest_failure = max(highest, self._highest_failure)
        values = self.values
        self.penalties += int(np.count_nonzero(values <= self._highest_failure))
        values[values <= self._highest_failure] = np.nan
        self.successes = int(np.count_nonzero(~np.isnan(values)))
        self._measured = int(np.count_nonzero(~np.isnan(values) & ~self.foreseen & self.full))
        self._leaders = [(-float(values[row]), row) for _, row in self._leaders if not np.isnan(values[row])]

    def set_aside(self, rows: Sequence[int]) -> None:
        """The values of these results, and of no others, count for nothing from now on, and their evaluations
        for no failures. O(n log n), unless they are those already.
        """
        if set(rows) == set(self._aside):
            return
        self.values[:] = self.told_values
        self.penalties += sum(value <= self._highest_failure for value in self._aside.values())
        self._aside = {row: float(self.values[row]) for row in rows if not np.isnan(self.values[row])}
        self.values[list(self._aside)] = np.nan
        succeeded = ~np.isnan(self.values)
        self.successes = int(np.count_nonzero(succeeded))
        measured = np.flatnonzero(succeeded & ~self.foreseen & self.full)
        self._measured = len(measured)
        self._leaders = sorted((-float(self.values[row]), int(row)) for row in measured)[:LEADERS]

    @property
    def told_values(self) -> FloatArray:
        """(n,) `values`, and those that were set aside."""
        values = self.values.copy()
        for row, value in self._aside.items():
            values[row] = np.nan if value <= self._highest_failure else value
        return values

    @property
    def aside(self) -> BoolArray:
        """(n,) which results were set aside."""
        aside = np.zeros(len(self), dtype=bool)
        aside[list(self._aside)] = True
        return aside

    @property
    def failed(self) -> BoolArray:
        """(n,) which of the evaluations failed."""
        return np.isnan(self.values) & ~self.aside

    @property
    def points(self) -> FloatArray:
        """(n, D) where the results come from, each coordinate on its positions."""
        return self._points.rows

    @property
    def values(self) -> FloatArray:
        """(n,) the values, in the sense of maximisation; NaN where the evaluation failed for good."""
        return self._values.rows

    @property
    def above_median(self) -> float:
        """What the highest value is above the median of those there are, of which there must be one."""
        told = self.values[~np.isnan(self.values)]
        return float(told.max() - np.median(told))

    @property
    def highest(self) -> float:
        """The value of the best point, as `best` has it, of which there must be one."""
        return float(self.values[self.best_rows(1)[0]])

    @property
    def variances(self) -> FloatArray:
        """(n,) the noise variances reported with them; 0 where none was."""
        return self._variances.rows

    @property
    def durations(self) -> FloatArray:
        """(n,) seconds that the evaluations took; NaN where that is not known."""
        return self._durations.rows

    @property
    def blocks(self) -> IndexArray:
        """(n,) the numbers of the blocks that the values are of; `OF_NONE` of none."""
        return self._blocks.rows

    @property
    def block_names(self) -> Sequence[str]:
        """What blocks are called, by their numbers."""
        return tuple(self._block_numbers)

    def _block_number(self, name: str | None) -> int:
        return OF_NONE if name is None else self._block_numbers.setdefault(name, len(self._block_numbers))

    @property
    def foreseen(self) -> BoolArray:
        """(n,) whether each value is what an evaluation that was stopped would probably have come to."""
        return self._foreseen.rows

    @property
    def full(self) -> BoolArray:
        """(n,) whether each result is one at full fidelity."""
        return self._full.rows

    @property
    def apart(self) -> BoolArray:
        """(n,) whether each was asked for while parameters were held, or is below full fidelity. What is poor
        of those may be good for where it is, and stand for no failure.
        """
        return self._held.rows | ~self.full

    @property
    def slacks(self) -> FloatArray:
        """(n, C) by how much each constraint on outcomes is satisfied; NaN where that is not known."""
        return self._slacks.rows

    @property
    def further(self) -> FloatArray:
        """(n, G) the other objectives, in the sense of maximisation; NaN where one is not known."""
        return self._further.rows

    @property
    def satisfying(self) -> BoolArray:
        """(n,) which results have a value at full fidelity and satisfy every constraint on outcomes. Values
        that were only foreseen are among them where there are no others.
        """
        return np.asarray(self._in_question & self.full & (self.slacks >= 0.0).all(axis=1))

    def is_satisfying(self, row: int) -> bool:
        """Whether one result is among those: O(C)."""
        if np.isnan(self.values[row]) or not self.full[row] or (self._measured and self.foreseen[row]):
            return False
        return bool((self.slacks[row] >= 0.0).all())

    @property
    def satisfied(self) -> bool:
        """Whether a result may be the best: it is feasible, at full fidelity, and satisfies them."""
        if not self.slacks.shape[1] and self._domain.ties is None and self._fidelity is None:
            return self.successes > 0
        satisfying = self.satisfying
        return bool(satisfying.any()) and bool((satisfying & self._domain.feasible(self.points)).any())

    @property
    def trials(self) -> Sequence[int]:
        """n numbers of the trials that they are the results of."""
        return self._trials

    def best(self, count: int) -> FloatArray:
        """(k, D) the points of the ``count`` highest values, or as many as there are, highest first; of those
        that are feasible, if any is. While no result satisfies the constraints on outcomes, of those that
        lack least of it.

        O(count) up to 64, however many results there are; O(n log n) for more, and under constraints.
        """
        return self.points[self.best_rows(count)]

    def best_rows(self, count: int) -> IndexArray:
        """(k,) the numbers of the results with the ``count`` highest values, as in `best`.

        Values that were only foreseen, or are of less than full fidelity, are among them where there are no
        others.
        """
        if self._domain.ties is not None or self.slacks.shape[1]:
            return self._best_feasible(count)
        if self._measured and min(count, self._measured) <= len(self._leaders):
            return np.array([row for _, row in self._leaders[:count]], dtype=np.intp)
        rows = np.flatnonzero(self._in_question)
        return np.asarray(rows[np.argsort(-self.values[rows], kind="stable")[:count]])

    @property
    def _in_question(self) -> BoolArray:
        succeeded = ~np.isnan(self.values)
        return succeeded & ~self.foreseen & self.full if self._measured else succeeded

    def _best_feasible(self, count: int) -> IndexArray:
        judged = self._in_question
        feasible = judged & self._domain.feasible(self.points)
        if not feasible.any():
            feasible = judged
        satisfying = feasible & self.satisfying
        rows = np.flatnonzero(satisfying if satisfying.any() else feasible)
        rank = -self.values if satisfying.any() or not self.slacks.shape[1] else violations(self.slacks)
        return np.asarray(rows[np.argsort(rank[rows], kind="stable")[:count]])

    def tradable_rows(self) -> IndexArray:
        """(k,) the numbers of the results that may be the best, of which every objective is known."""
        known = self.satisfying & ~np.isnan(self.further).any(axis=1)
        return np.flatnonzero(known & self._domain.feasible(self.points))

    def exclusion(self, pending: Sequence[FloatArray], within: Domain | None = None) -> Exclusion:
        """What may not be suggested, given the (D,) points that still run; ``within`` a part of the domain
        where coordinates are held, if only that is in question: then O(n).
        """
        if within is None:
            return Exclusion(self._domain, self._keys, pending, exact=self._exact)
        told = self.points[within.contains(self.points)]
        running = [point for point in pending if within.contains(point[None, :])[0]]
        known = set(keys_in(within, told[within.feasible(told)]))
        return Exclusion(within, known, running, exact=self._exact)

    def exclusion_before_last(self) -> Exclusion:
        """What might not be suggested when all but the last result had been told and nothing ran: O(n)."""
        points = self.points[:-1]
        if self._domain.rows is not None:
            known = {key for one in points for key in used_by(self._domain, one)}
            return Exclusion(self._domain, known, [], exact=self._exact)
        if self._domain.ties is not None:
            points = points[self._domain.feasible(points)]
        return Exclusion(self._domain, set(keys_in(self._domain, points)), [])
