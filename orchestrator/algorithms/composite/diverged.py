"""Between which values outcomes usually lie. Of what is far outside, as where a simulation diverged, models
learn nothing but that it is there: beside one number of 1e30 they see no difference between all others.

How far outcomes usually reach is seen where results lie far apart: those of a search crowd about the best.
That is next to nothing of what is hardly there but in a few places, as what a sensor sees of a cloud: in a
fit, what is off by no more than hundreds of errors has not diverged.

Notation: n results, M outcomes, E embedded columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.arrays import FloatArray, IndexArray

APART = 24
"""So many results that lie far apart say how far outcomes usually reach."""
FEWEST = 4
"""Of fewer nobody can say which is unusual."""
MOST_BEST = 10
REACH = 300.0
"""How many times as far as the middle half lies apart, or as an outcome may well be off."""


def most_best(results: int) -> int:
    """How many of so many results, the best, are taken for as they should be."""
    return max(1, min(MOST_BEST, results // 4))


@dataclass(frozen=True, eq=False, slots=True)
class Usual:
    """From (M,) ``low`` to ``high``."""

    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, function: KnownFunction, X: FloatArray, Y: FloatArray, best: IndexArray) -> Usual:
        """By the (n, M) outcomes of a ``function`` at (n, E) inputs, n >= 1. Nothing is unusual of an outcome
        that is the same in most results; nor is what the ``best`` rows have, or what lies about it. The
        points of a curve reach as far as that of them which reaches farthest: a peak may lie elsewhere.
        """
        if len(Y) < FEWEST:
            none = np.full(Y.shape[1], np.inf)
            return cls(-none, none)
        # Each is one of them: between two, one of which diverged, there is nothing usual.
        ranked = np.sort(Y[_far_apart(X, APART)], axis=0)
        quarter = len(ranked) // 4
        low, high = ranked[quarter], ranked[-1 - quarter]
        # What reaches farther than doubles do has nothing unusual.
        with np.errstate(over="ignore"):
            apart = np.where(low < high, np.maximum(high - low, function.units), 0.0)
            for one in function.curves:
                apart[one.columns] = apart[one.columns].max()
            reach = np.where(apart > 0.0, REACH * apart, np.inf)
            known = np.vstack([low, high, Y[best]])
            return cls(known.min(axis=0) - reach, known.max(axis=0) + reach)

    def among(self, Y: FloatArray) -> FloatArray:
        """(n, M) outcomes, those that are unusual as NaN."""
        return np.asarray(np.where((self.low > Y) | (self.high < Y), np.nan, Y))


def _far_apart(X: FloatArray, count: int) -> IndexArray:
    """Rows of inputs, each the farthest from those before it."""
    if len(X) <= count:
        return np.arange(len(X))
    rows, nearest = [0], np.square(X - X[0]).sum(axis=1)
    while len(rows) < count:
        rows.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, np.square(X - X[rows[-1]]).sum(axis=1))
    return np.array(rows)
