"""How alike the positions of a coordinate are that has no order, by numbers that describe each of them.

Kernels see each number as a column of its own, with a length-scale of its own, and beside these a *mark*, by
which any two positions differ about as much: one whose length-scale is short says that the numbers do not say
all, and one whose is long that they do. So what they are worth is learned as everything else is, and where
they say nothing, the positions are what they are without them.

The marks of many positions are vectors of mutually unbiased bases (Wootters & Fields 1989), of which p^2 fit
into 2p columns: for a prime p, the vector of (a, b) has exp(2 pi i (a x^2 + b x) / p) at x = 0, ..., p - 1.

Notation: k positions, d numbers of each, p a prime.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray

MARKED_APART = 0.25
"""How far marks are from each other, where a number's whole range is 1."""
MOST_WITH_INDICATORS = 64
LEAST_PRIME = 31
MOST_LOOKED_AT = 256
"""Of positions that a search may go to from one."""


@dataclass(frozen=True)
class Descriptors:
    """``numbers`` are k rows of d >= 1 numbers in [0, 1]."""

    numbers: tuple[tuple[float, ...], ...]

    @cached_property
    def columns(self) -> FloatArray:
        """(k, E) what kernels see of each position: the d numbers, then its mark."""
        return np.hstack([np.array(self.numbers), MARKED_APART * marks(len(self.numbers))])

    @property
    def width(self) -> int:
        """E."""
        return int(self.columns.shape[1])

    def worth_a_look(self, index: int) -> IndexArray:
        """Numbers of other positions to go to from one: all, or, of many, those most like it, and some that
        lie evenly among the others, in their order.
        """
        k = len(self.numbers)
        others = np.delete(np.arange(k), index)
        if len(others) <= MOST_LOOKED_AT:
            return others
        apart = np.square(self.columns[others] - self.columns[index]).sum(axis=1)
        order = np.argsort(apart, kind="stable")
        half = MOST_LOOKED_AT // 2
        spread = np.linspace(half, len(order) - 1, half).astype(np.intp)
        return np.asarray(np.sort(others[order[np.concatenate([np.arange(half), spread])]]))

    @cached_property
    def order(self) -> IndexArray:
        """(k,) the positions so that the halves of that order are far apart, and the halves of each half, and
        so on: cut at the median of the number of which the range there is widest, as in a k-d tree (Bentley
        1975).
        """
        numbers = np.array(self.numbers)
        parts = [np.arange(len(numbers))]
        while len(parts) < len(numbers):
            parts = [half for part in parts for half in _halves(part, numbers) if len(half)]
        return np.concatenate(parts)

    @cached_property
    def aspects(self) -> IndexArray:
        """(E,) which of d + 1 length-scales each column has: one a number, and one for the mark."""
        d = len(self.numbers[0])
        return np.minimum(np.arange(self.width), d)

    def to_json(self) -> list[list[float]]:
        """JSON values, exact to the bit."""
        return [list(row) for row in self.numbers]

    @classmethod
    def from_json(cls, told: list[list[float]]) -> Descriptors:
        """What `to_json` wrote."""
        return cls(tuple(tuple(float(number) for number in row) for row in told))


def _halves(part: IndexArray, numbers: FloatArray) -> tuple[IndexArray, IndexArray]:
    """Of these rows of numbers the lower half, and the upper one."""
    widest = int(np.ptp(numbers[part], axis=0).argmax())
    ordered = part[np.argsort(numbers[part, widest], kind="stable")]
    middle = len(part) // 2
    return ordered[:middle], ordered[middle:]


def described_from(told: Mapping[str, Any]) -> Descriptors | None:
    """Those in what a coordinate's `to_json` wrote, if there are any."""
    return Descriptors.from_json(told["descriptors"]) if "descriptors" in told else None


def marks(count: int) -> FloatArray:
    """(count, m) vectors any two of which are a distance of 1 apart: of more than 64 about 1, between
    sqrt(1 - 1 / sqrt(p)) and sqrt(1 + 1 / sqrt(p)), where p >= 31 and m is about twice the count's root.
    """
    if count <= MOST_WITH_INDICATORS:
        return np.eye(count) / math.sqrt(2.0)
    p = _prime_from(max(LEAST_PRIME, math.isqrt(count - 1) + 1))
    a, b = np.divmod(np.arange(count), p)
    x = np.arange(p)
    # Whole numbers modulo p, so that no angle is large enough to be rounded.
    angles = (2.0 * math.pi / p) * ((np.outer(a, x * x) + np.outer(b, x)) % p)
    return np.hstack([np.cos(angles), np.sin(angles)]) / math.sqrt(2.0 * p)


def _prime_from(least: int) -> int:
    """The smallest prime that is no smaller."""
    while any(least % divisor == 0 for divisor in range(2, math.isqrt(least) + 1)):
        least += 1
    return least
