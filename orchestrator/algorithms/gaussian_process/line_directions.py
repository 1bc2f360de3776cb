"""Which way a line goes, where nobody knows with which belief it began.

Asks leave no trace in an algorithm: when a refit is adopted, nobody can say whether a line's first point was
asked for before it or will be after. Where that point lies, once it is told or runs, says it.

Notation: D coordinates, k points.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.ask_and_tell.trial_origins import ROUNDED
from orchestrator.arrays import BoolArray, FloatArray

# Nearer than this a point lies on a line, but for the last digits.
ON_IT = 1e-9


@dataclass(frozen=True, eq=False, slots=True)
class Line:
    """Through a (D,) ``origin`` in a (D,) ``direction``, and on along the faces of the cube."""

    origin: FloatArray
    direction: FloatArray

    def distance(self, point: FloatArray, is_continuous: BoolArray) -> float:
        """How far a (D,) point lies off, by the farthest continuous coordinate; infinite where none is inside
        the cube, as nearly any line may lead to a corner.
        """
        inside = is_continuous & (point > 0.0) & (point < 1.0)
        along = self.direction[inside]
        squared = float(along @ along)
        if squared == 0.0:
            return math.inf
        steps = float(along @ (point - self.origin)[inside]) / squared
        reached = np.clip(self.origin + steps * self.direction, 0.0, 1.0)
        return float(np.abs(reached - point)[is_continuous].max())


class LineDirections:
    """For each line, by its number, the ways that it may go: one for each belief that it may have begun with.

    Where a point of it lies decides between them; without a continuous coordinate it cannot, and the last
    counts.
    """

    def __init__(self, is_continuous: BoolArray) -> None:
        self._is_continuous = is_continuous
        self._possible: dict[int, list[Line]] = {}
        self._settled: set[int] = set()

    def may_have_begun(self, number: int, line: Callable[[], Line], *, settles: bool) -> None:
        """Keep the way that a line goes if it has begun by now, unless it is settled. ``settles``: it goes
        one of those kept by now, even if it begins later.
        """
        if number in self._settled:
            return
        self._possible.setdefault(number, []).append(line())
        if settles:
            self._settled.add(number)

    def of(self, number: int, now: Callable[[], Line], witnesses: FloatArray) -> FloatArray:
        """(D,) the direction of a line, one of whose points may be among the (k, D) ``witnesses``; ``now`` is
        how it goes if it begins now.
        """
        possible = list(self._possible.get(number, ()))
        if number not in self._settled:
            possible.append(now())
        best, least = possible[-1], ROUNDED
        if len(possible) > 1:
            # Of those that are as near, the last: it counts where nothing speaks for an earlier one.
            for line in reversed(possible):
                off = min((line.distance(x, self._is_continuous) for x in witnesses), default=math.inf)
                if max(off, ON_IT) < least:
                    best, least = line, max(off, ON_IT)
        return best.direction
