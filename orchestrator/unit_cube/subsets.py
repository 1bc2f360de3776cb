"""Which of some coordinates are used at all, that is not where they are 0, and how many of them may be.

Notation: n points, D coordinates, M members, of which the first C are coordinates and the others sums.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.unit_cube.sums import Sum

NOTHING = 1e-9
"""Of a sum's range: as much is 0 but for rounding."""
MOST_ENUMERATED = 12
"""Members whose subsets are all looked at; of more they are drawn at random until one is allowed."""
TRIED_AT_RANDOM = 64


@dataclass(frozen=True, slots=True)
class Limit:
    """Of these members at least and at most so many are used."""

    members: tuple[int, ...]
    least: int
    most: int


@dataclass(frozen=True)
class Subsets:
    """``coordinates`` (C,) that are 0 at the positions ``zeros``, and where they are not at ``leasts`` or
    above, and ``sums`` that are 0 where they come to 0. A subset is (M,) booleans, which of them are used.
    ``gaps``: which of the ties' gaps say the same.
    """

    coordinates: tuple[int, ...]
    zeros: tuple[float, ...]
    leasts: tuple[float, ...]
    sums: tuple[Sum, ...]
    limits: tuple[Limit, ...]
    gaps: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """M."""
        return len(self.coordinates) + len(self.sums)

    def stretched(self, lower: FloatArray, width: FloatArray) -> Subsets:
        """The same where a box at (D,) ``lower`` of a (D,) ``width`` is the unit cube. What is 0 outside of
        it is used all over it.
        """
        axes = list(self.coordinates)
        zeros: FloatArray = (np.array(self.zeros) - lower[axes]) / width[axes]
        there: FloatArray = (np.array(self.leasts) - lower[axes]) / width[axes]
        leasts = np.where(np.array(self.leasts) > 0.0, there, 0.0)
        sums = [
            Sum(one.constant + float(own @ lower), tuple((own * width).tolist()))
            for one in self.sums
            for own in (np.array(one.factors),)
        ]
        return replace(self, zeros=tuple(zeros.tolist()), leasts=tuple(leasts.tolist()), sums=tuple(sums))

    def settled(self, left_out: BoolArray, used: BoolArray) -> Subsets:
        """The same where only those coordinates may be ``left_out`` (C,), and only those ``used`` (C,)."""
        always = [Limit((int(m),), 1, 1) for m in np.flatnonzero(~left_out)]
        never = [Limit((int(m),), 0, 0) for m in np.flatnonzero(~used)]
        return replace(self, limits=(*self.limits, *always, *never)) if always or never else self

    def sizes(self, points: FloatArray) -> FloatArray:
        """(n, M) how far from 0 each is at (n, D) points; 0 where it is nearer to that than to its least."""
        own = points[:, list(self.coordinates)]
        apart = np.where(own >= 0.5 * np.array(self.leasts), np.abs(own - np.array(self.zeros)), 0.0)
        shares = [np.where(s > NOTHING, s, 0.0) for s in (one.at(points) for one in self.sums)]
        return np.column_stack([apart, *shares])

    def at_most(self, points: FloatArray, subsets: BoolArray) -> FloatArray:
        """(n, D) points with the coordinates that (n, M) subsets leave out at 0, and the others at their
        least or above.
        """
        own = list(self.coordinates)
        changed = points.copy()
        used = np.maximum(points[:, own], self.leasts)
        changed[:, own] = np.where(subsets[:, : len(own)], used, np.array(self.zeros))
        return changed

    def used(self, points: FloatArray) -> BoolArray:
        """(n, M) which are at (n, D) points."""
        return np.asarray(self.sizes(points) > 0.0)

    def allowed(self, subsets: BoolArray) -> BoolArray:
        """(n,) which of (n, M) keep to the limits."""
        kept = np.ones(len(subsets), dtype=bool)
        for limit in self.limits:
            count = subsets[:, list(limit.members)].sum(axis=1)
            kept &= (limit.least <= count) & (count <= limit.most)
        return kept

    def nearest(self, sizes: FloatArray) -> BoolArray:
        """(n, M) the largest of each limit's members that are used, as many as may be, and the next ones
        where more have to be. Where limits overlap these need not be allowed.
        """
        used = sizes > 0.0
        for limit in self.limits:
            own = list(limit.members)
            ranked = np.argsort(-np.where(used[:, own], 1.0 + sizes[:, own], 0.0), axis=1, kind="stable")
            ranks = np.argsort(ranked, axis=1, kind="stable")
            used[:, own] = (used[:, own] & (ranks < limit.most)) | (ranks < limit.least)
        return used

    def drawn(self, count: int, rng: np.random.Generator) -> BoolArray:
        """(k, M) allowed subsets, k <= count: how many are used goes by the square root of how many subsets
        there are with as many, so that neither the most are always used nor a single one comes all the time.
        """
        if self._enumerated is not None:
            subsets, chances = self._enumerated
            return subsets[rng.choice(len(subsets), size=count, p=chances)] if len(subsets) else subsets
        found = [self._at_random(rng) for _ in range(count)]
        subsets = np.array(found, dtype=bool).reshape(-1, self.count)
        return subsets[self.allowed(subsets)]

    def evenly(self, subsets: BoolArray) -> IndexArray:
        """(n,) an order of (n, M) in which all members come about equally often from the first one on, and
        then all pairs of them. How many are used goes on as it was.
        """
        sizes = subsets.sum(axis=1)
        apart = subsets.astype(float)
        seen = np.zeros((self.count, self.count))
        left = np.ones(len(subsets), dtype=bool)
        order = np.empty(len(subsets), dtype=np.intp)
        for i, size in enumerate(sizes):
            rows = np.flatnonzero(left & (sizes == size))
            of_members = apart[rows] @ np.diag(seen)
            of_pairs = ((apart[rows] @ seen) * apart[rows]).sum(axis=1)
            order[i] = rows[np.lexsort((of_pairs, of_members))[0]]
            left[order[i]] = False
            seen += np.outer(apart[order[i]], apart[order[i]])
        return order

    @cached_property
    def _enumerated(self) -> tuple[BoolArray, FloatArray] | None:
        """All that are allowed, and how likely each is; None where there are too many to look at."""
        if self.count > MOST_ENUMERATED:
            return None
        numbers = np.arange(2**self.count)
        subsets = (numbers[:, None] >> np.arange(self.count)) & 1 == 1
        subsets = subsets[self.allowed(subsets)]
        sizes = subsets.sum(axis=1)
        chances = 1.0 / np.sqrt(np.bincount(sizes, minlength=1)[sizes]) if len(subsets) else np.empty(0)
        return subsets, chances / chances.sum() if len(subsets) else chances

    def _at_random(self, rng: np.random.Generator) -> BoolArray:
        """One that keeps to the widest limit, and to the others if chance will have it."""
        settled = [one for one in self.limits if len(one.members) == 1 and one.least == min(one.most, 1)]
        always = {one.members[0] for one in settled if one.least == 1}
        never = {one.members[0] for one in settled} - always
        for _ in range(TRIED_AT_RANDOM):
            used = rng.random(self.count) < 0.5
            for limit in sorted(self.limits, key=lambda one: len(one.members)):
                own = [m for m in limit.members if m not in always | never]
                fixed = len(always & set(limit.members))
                low, high = max(limit.least - fixed, 0), min(limit.most - fixed, len(own))
                if low > high:
                    continue
                chances = np.sqrt([float(math.comb(len(own), size)) for size in range(low, high + 1)])
                size = low + int(rng.choice(len(chances), p=chances / chances.sum()))
                used[own] = False
                used[rng.permutation(own)[:size].astype(np.intp)] = True
            used[list(always)], used[list(never)] = True, False
            if self.allowed(used[None, :])[0]:
                break
        return used
