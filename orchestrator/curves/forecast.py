"""How an evaluation that runs will probably end, by the curves and the ends of those before it.

The value at the end is regressed on what a curve tells by a step: its level, or also how it has moved since
half of the way, with values and levels as they are or on scales that spread out what is near the best. These
four regressions are mixed by how well each of them foretells every past end from the others.

Notation: n past evaluations; p regressors, with the constant; d by how much a value is worse than the best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, stdtr

from orchestrator.curves.curve import Readings, at

FloatArray = NDArray[np.float64]
LEAST_FREEDOM = 2
"""Degrees of freedom that a regression has left when one past evaluation is taken out."""
RESOLUTION = 1e-6
"""Errors of a forecast are taken to be at least this share of the spread of what it forecasts."""
LARGEST = 300.0
"""Of a logarithm that is undone: beyond, doubles overflow."""


@dataclass(frozen=True, slots=True)
class Ended:
    """An evaluation that came to its end: what it reported until then, and its value."""

    readings: Readings
    value: float


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
    if not usable:
        return None
    best = max(sign * one.value for one in usable)
    worse = np.array([best - sign * one.value for one in usable])
    bar = float(np.quantile(worse, share))
    curves = [readings, *(one.readings for one in usable)]
    levels = np.array([at(curve, step) for curve in curves])
    earlier = np.array([at(curve, half) for curve in curves]) if moved else None
    found = [one for one in _forecasts(worse, bar, levels, earlier) if one is not None]
    if not found:
        return None
    evidence = np.array([one.evidence for one in found])
    weights = np.exp(evidence - evidence.max())
    weights /= weights.sum()
    means = np.array([one.mean for one in found])
    mean = float(weights @ means)
    deviation = math.sqrt(weights @ (np.array([one.deviation for one in found]) ** 2 + (means - mean) ** 2))
    chance = float(weights @ np.array([one.chance for one in found]))
    return Outlook(sign * (best - mean), deviation, min(max(chance, 0.0), 1.0))


@dataclass(frozen=True, slots=True)
class _Forecast:
    """Of d by one regression: mean, deviation, the chance that it is below the bar, and its log evidence."""

    mean: float
    deviation: float
    chance: float
    evidence: float


def _forecasts(
    worse: FloatArray, bar: float, levels: FloatArray, earlier: FloatArray | None
) -> Iterator[_Forecast | None]:
    """Of each regression that can be made; the first of ``levels`` and ``earlier`` is the one that runs."""
    for warp, scale in ((None, None), (_Warp.of(worse), _Spread.of(levels, worse))):
        seen = levels if scale is None else scale.apply(levels)
        columns = [seen]
        yield _regressed(worse, bar, columns, warp)
        if earlier is not None:
            columns.append(seen - (earlier if scale is None else scale.apply(earlier)))
            yield _regressed(worse, bar, columns, warp)


@dataclass(frozen=True, slots=True)
class _Warp:
    """d on a scale that is logarithmic beyond ``unit`` and linear where a value beats the best."""

    unit: float

    @classmethod
    def of(cls, worse: FloatArray) -> _Warp:
        positive = worse[worse > 0.0]
        return cls(float(np.quantile(positive, 0.25)) if len(positive) else 1.0)

    def apply(self, d: FloatArray) -> FloatArray:
        return np.where(d >= 0.0, np.log1p(np.maximum(d, 0.0) / self.unit), d / self.unit)

    def undo(self, w: float) -> float:
        return self.unit * (math.expm1(min(w, LARGEST)) if w >= 0.0 else w)

    def log_slopes(self, d: FloatArray) -> FloatArray:
        return -np.log(self.unit + np.maximum(d, 0.0))


@dataclass(frozen=True, slots=True)
class _Spread:
    """Levels on a scale that is linear where good evaluations are at this step, and logarithmic far off."""

    centre: float
    unit: float

    @classmethod
    def of(cls, levels: FloatArray, worse: FloatArray) -> _Spread:
        past = levels[1:]
        if not len(past):
            return cls(0.0, 1.0)
        good = past[np.argsort(worse)[: max(1, len(past) // 4)]]
        centre = float(np.median(good))
        unit = float(np.median(np.abs(past - centre)))
        return cls(centre, unit or float(np.abs(past - centre).max()) or 1.0)

    def apply(self, levels: FloatArray) -> FloatArray:
        return np.arcsinh((levels - self.centre) / self.unit)


def _regressed(
    worse: FloatArray, bar: float, columns: Sequence[FloatArray], warp: _Warp | None
) -> _Forecast | None:
    """Student's t for the one that runs, of least squares over the past with a flat prior."""
    n, p = len(worse), 1 + len(columns)
    freedom = n - p
    if freedom - 1 < LEAST_FREEDOM:
        return None
    y = worse if warp is None else warp.apply(worse)
    all_rows = np.column_stack([np.ones(n + 1), *columns])
    shift, spread = all_rows[1:, 1:].mean(axis=0), all_rows[1:, 1:].std(axis=0)
    if not (np.isfinite(all_rows).all() and (spread > RESOLUTION * (1.0 + np.abs(shift)) * 1e-6).all()):
        return None
    all_rows[:, 1:] = (all_rows[:, 1:] - shift) / spread
    x, rows = all_rows[0], all_rows[1:]
    Q, R = np.linalg.qr(rows)
    if np.abs(np.diag(R)).min() < RESOLUTION * math.sqrt(n):
        return None
    least = (RESOLUTION * float(y.std())) ** 2
    if least == 0.0:
        return None
    projected = Q.T @ y
    coefficients = np.linalg.solve(R, projected)
    errors = y - Q @ projected
    inner = 1.0 - np.minimum((Q**2).sum(axis=1), 1.0 - RESOLUTION)
    total = float(errors @ errors)
    # The errors and deviations of each past end when it is foretold from all the others.
    without = np.maximum((total - errors**2 / inner) / (freedom - 1), least)
    evidence = _log_density(errors / inner, np.sqrt(without / inner), freedom - 1)
    if warp is not None:
        evidence = evidence + warp.log_slopes(worse)
    reach = np.linalg.solve(R.T, x)
    middle = float(x @ coefficients)
    scale = math.sqrt(max(total / freedom, least) * (1.0 + float(reach @ reach)))
    deviation = scale * math.sqrt(freedom / (freedom - 2.0))
    if warp is not None:
        bar = float(warp.apply(np.array(bar)))
    chance = float(stdtr(freedom, (bar - middle) / scale))
    if warp is None:
        return _Forecast(middle, deviation, chance, float(evidence.sum()))
    around = warp.undo(middle + deviation) - warp.undo(middle - deviation)
    return _Forecast(warp.undo(middle), around / 2.0, chance, float(evidence.sum()))


def _log_density(errors: FloatArray, scales: FloatArray, freedom: float) -> FloatArray:
    """Of Student's t."""
    constant = gammaln((freedom + 1.0) / 2.0) - gammaln(freedom / 2.0) - 0.5 * math.log(freedom * math.pi)
    result: FloatArray = (
        constant - np.log(scales) - (freedom + 1.0) / 2.0 * np.log1p((errors / scales) ** 2 / freedom)
    )
    return result
