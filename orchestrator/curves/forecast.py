"""How an evaluation that runs will probably end, by its curve, and the curves and ends of those before it.

The value at the end is regressed on what a curve tells by a step: its level, or also how it has moved since
half of the way, with values and levels as they are or on scales that spread out what is near the best. These
four regressions are mixed by how well each of them foretells every past end from the others.

Notation: n past evaluations.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from orchestrator.arrays import FloatArray
from orchestrator.curves.curve import Ended, Readings, at
from orchestrator.curves.regression import Foretold, regressed
from orchestrator.curves.scales import DistanceScale, LevelScale

FAR = 30.0
"""Times as far from the best as three quarters of the ends are: what is farther off teaches nothing."""

LEAST_CHANCE = 1e-3
"""Nothing is taken to be surer than this."""

LARGEST_DEVIATION = 1e154
"""That of an outlook is no larger: its square, the variance, is a double."""

MOST_DOUBLINGS = 300
"""Sums of squares of numbers that many doublings from 1, or halvings, are doubles."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is foreseen of the value at the end, and the ``chance`` in [0, 1] that it is among the best."""

    mean: float
    deviation: float
    chance: float


def outlook(past: Sequence[Ended], readings: Readings, *, share: float, maximise: bool) -> Outlook | None:
    """How an evaluation with these readings will end; the best are this ``share`` in (0, 1) of the past.

    None as long as the past does not tell: too few have got as far, or nothing sets them apart. O(n).
    """
    step = readings[-1][0]
    half = step / 2.0
    moved = readings[0][0] <= half
    usable = [one for one in past if one.readings and one.readings[0][0] <= (half if moved else step)]
    sign = 1.0 if maximise else -1.0
    usable = without_penalties(usable, sign)
    if not usable:
        return None
    best = max(sign * one.value for one in usable)
    # Halved, and levels are eighths: of the largest doubles differences, and theirs, are none.
    halves = np.array([best / 2.0 - sign * one.value / 2.0 for one in usable])
    doublings = _beyond_squares(halves)
    worse = np.ldexp(halves, 1 - doublings)
    curves = [readings, *(one.readings for one in usable)]
    levels = np.array([at(curve, step) for curve in curves]) / 8.0
    earlier = np.array([at(curve, half) for curve in curves]) / 8.0 if moved else None
    found = [one for one in _foretold(worse, share, levels, earlier) if one is not None]
    if not found:
        return None
    evidence = np.array([one.evidence for one in found])
    weights = np.exp(evidence - evidence.max())
    weights /= weights.sum()
    means = np.array([one.mean for one in found])
    mean = float(weights @ means)
    apart = np.hypot([one.deviation for one in found], means - mean)
    chance = min(float(weights @ np.array([one.chance for one in found])), 1.0)
    deviation = float(np.linalg.norm(np.sqrt(weights) * apart))
    mean, deviation = _within_the_past(mean, deviation, chance, worse, share)
    with np.errstate(over="ignore"):
        mean, deviation = np.ldexp([mean, deviation], doublings).tolist()
    end = min(max(best - mean, -sys.float_info.max), sys.float_info.max)
    return Outlook(sign * end, min(deviation, LARGEST_DEVIATION), chance)


def _beyond_squares(distances: FloatArray) -> int:
    """As many doublings as the largest of (n,) distances is away from 1; 0 if their squares are doubles."""
    doublings = int(np.frexp(distances.max())[1])
    return doublings if abs(doublings) > MOST_DOUBLINGS else 0


def _within_the_past(
    mean: float, deviation: float, chance: float, worse: FloatArray, share: float
) -> tuple[float, float]:
    """What is foreseen beyond all ends, as of a training that diverges, hardly says how bad it will be: a
    deviation to match would hide that it is bad. It is as the worst end then, as surely as its chance says.
    """
    bar, worst = float(np.quantile(worse, share)), float(worse.max())
    sureness = -float(ndtri(max(chance, LEAST_CHANCE)))
    if mean <= worst or worst <= bar or deviation * sureness <= worst - bar:
        return mean, deviation
    return worst, (worst - bar) / sureness


def without_penalties(past: Sequence[Ended], sign: float) -> list[Ended]:
    """Those that ended not too far off: a penalty has nothing to do with the curve before it, and one would
    hide what all others tell.
    """
    if not past:
        return []
    best = max(sign * one.value for one in past)
    # Halved first: between the largest doubles, which penalties may be, there is none.
    worse = [best / 2.0 - sign * one.value / 2.0 for one in past]
    # Not the median: once a search has converged, its start design is no penalty. Where most are as good as
    # the best, nobody can say what is far.
    farthest = FAR * float(np.quantile(worse, 0.75)) or math.inf
    return [one for one, off in zip(past, worse, strict=True) if off <= farthest]


def _foretold(
    worse: FloatArray, share: float, levels: FloatArray, earlier: FloatArray | None
) -> Iterator[Foretold | None]:
    """By each regression; the first of ``levels`` and ``earlier`` is the evaluation that runs."""
    bar = float(np.quantile(worse, share))
    level_scale = LevelScale.of(levels[1:], worse)
    plain = None, levels, earlier
    scaled = (
        DistanceScale.of(worse),
        level_scale.apply(levels),
        None if earlier is None else level_scale.apply(earlier),
    )
    for scale, now, before in (plain, scaled):
        yield regressed(worse, bar, [now], scale)
        if before is not None:
            yield regressed(worse, bar, [now, now - before], scale)
