"""Where `auto` looks closely: a box about a good point that grows with success and shrinks with failure.

A value: every result makes another one. After TuRBO's trust region (Eriksson et al. 2019), but beside a
global search rather than instead of it, and with a new centre among the points known once a box is exhausted.

Notation: D coordinates, L the box's base side length, in the unit cube.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.boxes.within_box import Box
from orchestrator.unit_cube.domain import Domain

# Of L, at first and at most.
FIRST_LENGTH, LONGEST = 0.4, 1.6
# So many successes in a row double it, and as many failures as there are coordinates halve it, within bounds.
SUCCESSES_TO_GROW = 3
FEWEST_FAILURES, MOST_FAILURES = 3, 8
# A success improves on the best by this part of the spread of the values near by.
LEAST_GAIN = 1e-3
# No side is so many times shorter or longer than the others.
MOST_UNEVEN = 10.0
# A new centre is this far, in some coordinate, from those of exhausted regions; where nothing is continuous,
# in more than one coordinate of so many.
APART, COORDINATES_TO_BE_APART = 0.1, 4


@dataclass(frozen=True, slots=True)
class Pace:
    """How soon a region closes in: after which part of the failures that its dimension asks for it is halved,
    and below which length it is exhausted.
    """

    failures: float
    shortest: float


ALONE = Pace(1.0, 0.5**9)
# Where several evaluations run at a time, most points stand aside for one nearer to the top and fail oftener
# than it would: waiting for as many failures as alone, the region would stay too wide for too long. Having
# shrunk sooner, it is exhausted at a shorter length.
BESIDE_OTHERS = Pace(0.75, 0.5**12)


@dataclass(frozen=True, eq=False)
class SearchRegion:
    """``centre`` (D,) is where the highest value, ``best``, was seen, or is believed to be if they are noisy;
    ``spread`` > 0 the range of values near by; ``proportions`` (D,) of the sides, with a geometric mean of
    about 1; ``pace`` how soon it closes in.
    """

    domain: Domain
    centre: FloatArray
    best: float
    spread: float
    proportions: FloatArray
    pace: Pace = ALONE
    length: float = FIRST_LENGTH
    successes: int = 0
    failures: int = 0

    @property
    def box(self) -> Box:
        """The region itself."""
        return Box.about(self.domain, self.centre, 0.5 * self.length * self.proportions)

    @property
    def exhausted(self) -> bool:
        """Whether it has shrunk so far that there is nothing left to find in it."""
        return self.length < self.pace.shortest

    def contains(self, point: FloatArray) -> bool:
        """Whether a (D,) point lies in it."""
        return bool(self.box.contains(point[None, :])[0])

    def is_gain(self, value: float | None) -> bool:
        """Whether a value is a success."""
        return value is not None and value > self.best + LEAST_GAIN * self.spread

    def after(self, point: FloatArray, value: float | None) -> SearchRegion:
        """After a result at a (D,) point, wherever it is; None for a failed evaluation.

        The global search may find better points too: the region moves there. A result elsewhere that is no
        better says nothing of the region.
        """
        better = value is not None and value > self.best
        if not (better or self.contains(point)):
            return self
        successes, failures = (self.successes + 1, 0) if self.is_gain(value) else (0, self.failures + 1)
        length = self.length
        if successes >= SUCCESSES_TO_GROW:
            length, successes = min(2.0 * length, LONGEST), 0
        if self.box.is_least:
            # It cannot shrink any more: this was as close as can be looked.
            length = 0.0 if failures >= MOST_FAILURES else length
        elif failures >= self._failures_to_shrink:
            length, failures = 0.5 * length, 0
        moved = replace(self, length=length, successes=successes, failures=failures)
        return moved if not better or value is None else replace(moved, centre=point, best=value)

    @property
    def _failures_to_shrink(self) -> int:
        enough = self.pace.failures * min(self.domain.dimension, MOST_FAILURES)
        return max(FEWEST_FAILURES, math.ceil(enough))


def proportions(length_scales: Sequence[float] | FloatArray) -> FloatArray:
    """(D,) sides in proportion to a local model's length-scales, none more than ten times the typical one."""
    logs = np.log(np.array(length_scales))
    reach = math.log(MOST_UNEVEN)
    return np.asarray(np.exp(np.clip(logs - logs.mean(), -reach, reach)))


def next_centre(
    domain: Domain, points: FloatArray, values: FloatArray, exhausted: Sequence[FloatArray]
) -> int | None:
    """The row of the best of (n, D) points away from the centres of exhausted regions; None if none is.

    ``values`` (n,) may hold NaN for failures.
    """
    away = ~np.isnan(values)
    apart_in = 0 if domain.is_continuous.any() else domain.dimension // COORDINATES_TO_BE_APART
    for centre in exhausted:
        apart = np.abs(domain.towards(points, centre) - centre)
        away &= (apart > APART).sum(axis=1) > apart_in
    rows = np.flatnonzero(away)
    return int(rows[np.argmax(values[rows])]) if len(rows) else None
