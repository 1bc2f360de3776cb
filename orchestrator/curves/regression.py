"""Least squares with its own doubt: what is foretold of one more row, and how well all others foretell each.

Notation: n rows that are known; p regressors, with the constant; y what is regressed, by how much a value is
worse than the best one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, stdtr

from orchestrator.arrays import FloatArray
from orchestrator.curves.scales import DistanceScale

LEAST_FREEDOM = 2
"""Degrees of freedom that are left when one of the rows is taken out."""
RESOLUTION = 1e-6
"""Errors are taken to be at least this share of the spread of what is regressed."""
ALIKE = 1e-9
"""What differs by less than this share of its size does not differ."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """Of one more row: the mean and its deviation, the chance to be below the bar, and the log evidence."""

    mean: float
    deviation: float
    chance: float
    evidence: float


def regressed(
    worse: FloatArray, bar: float, columns: Sequence[FloatArray], scale: DistanceScale | None = None
) -> Foretold | None:
    """Student's t of the row that is first in (n + 1,) ``columns``, from (n,) ``worse`` of the others.

    By least squares with a flat prior, on a ``scale`` if one is given. The evidence is the sum of the log
    densities of each known row when it is foretold from all the others. None where that cannot be told: too
    few rows, or such as nothing sets apart, or one that is too far from all of them.
    """
    n, p = len(worse), 1 + len(columns)
    freedom = n - p
    if freedom - 1 < LEAST_FREEDOM:
        return None
    y = worse if scale is None else scale.apply(worse)
    rows = np.column_stack([np.ones(n + 1), *columns])
    if not np.isfinite(rows).all():
        return None
    # Halvings round nothing, and the squares of what is near 1 are doubles.
    with np.errstate(over="ignore"):
        rows[:, 1:] = np.ldexp(rows[:, 1:], -np.frexp(np.abs(rows[1:, 1:]).max(axis=0))[1])
    centre, spread = rows[1:, 1:].mean(axis=0), rows[1:, 1:].std(axis=0)
    least = (RESOLUTION * float(y.std())) ** 2
    sizes = np.abs(rows[1:, 1:]).max(axis=0)
    if least == 0.0 or (spread <= ALIKE * sizes).any():
        return None
    with np.errstate(over="ignore"):
        rows[:, 1:] = (rows[:, 1:] - centre) / spread
    if not np.isfinite(rows).all():
        return None
    Q, R = np.linalg.qr(rows[1:])
    if np.abs(np.diag(R)).min() < RESOLUTION * math.sqrt(n):
        return None
    projected = Q.T @ y
    errors = y - Q @ projected
    total = float(errors @ errors)
    # The errors, and their variances, when each row is foretold from the others.
    apart = 1.0 - np.minimum((Q**2).sum(axis=1), 1.0 - RESOLUTION)
    variances = np.maximum((total - errors**2 / apart) / (freedom - 1), least) / apart
    densities = _log_densities(errors / apart, np.sqrt(variances), freedom - 1)
    if scale is not None:
        densities = densities + scale.log_slopes(worse)
        bar = float(scale.apply(np.array([bar]))[0])
    reach = np.linalg.solve(R.T, rows[0])
    with np.errstate(over="ignore"):
        middle = float(reach @ projected)
        width = math.sqrt(max(total / freedom, least) * (1.0 + float(reach @ reach)))
    if not math.isfinite(width):
        return None
    chance = float(stdtr(freedom, (bar - middle) / width))
    deviation = width * math.sqrt(freedom / (freedom - 2.0))
    if scale is not None:
        around = scale.undo(middle + deviation) - scale.undo(middle - deviation)
        middle = scale.undo(middle)
        # Nothing is between the two only where both are beyond what doubles hold.
        deviation = around / 2.0 or middle
    return Foretold(middle, deviation, chance, float(densities.sum()))


def _log_densities(errors: FloatArray, widths: FloatArray, freedom: float) -> FloatArray:
    """Of Student's t."""
    constant = gammaln((freedom + 1.0) / 2.0) - gammaln(freedom / 2.0) - 0.5 * math.log(freedom * math.pi)
    densities: FloatArray = (
        constant - np.log(widths) - (freedom + 1.0) / 2.0 * np.log1p((errors / widths) ** 2 / freedom)
    )
    return densities
