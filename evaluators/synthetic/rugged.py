"""Many local maxima and no additive structure: Ackley, Griewank, drop-wave and eggholder.

Notation: d parameters.
"""

from __future__ import annotations

import itertools

import numpy as np

from evaluators.synthetic.definition import EVERYWHERE, Box, FloatArray, Optimum, SyntheticFunction, single

_UNIT_ACKLEY_VALUE = 4.710965042918364
_UNIT_ACKLEY_INNER = 0.57666562741213
_EGGHOLDER_VALUE = 959.6406627208507
_EGGHOLDER_POINT = (512.0, 404.23180511344214)


def ackley(dimension: int) -> SyntheticFunction:
    """A narrow funnel in a plain of ripples, on [-5, 10]^d, negated: its peak, 0, is at the origin."""
    return SyntheticFunction(
        name=f"ackley-{dimension}",
        box=Box.cube(-5.0, 10.0, dimension, reach=EVERYWHERE),
        optimum=Optimum(0.0, np.zeros(dimension)),
        terms=single(lambda points: -ackley_height(points)),
    )


def ackley_unit() -> SyntheticFunction:
    """Ackley as Lu et al. 2022 have it (Appendix E, Table 1): its usual form *maximised* on [0, 1]^5.

    Their point, one coordinate at 1 and four at 0.6231, gives 4.6926 (4.6930 in print) and is a local
    maximum. Two coordinates at 1 and three at 0.5767 give 4.7110: that is the optimum here, in ten places,
    all on the border, and beyond the border the function is higher.
    """
    points = np.full((10, 5), _UNIT_ACKLEY_INNER)
    for row, pair in zip(points, itertools.combinations(range(5), 2), strict=True):
        row[list(pair)] = 1.0
    return SyntheticFunction(
        name="ackley-unit",
        box=Box.cube(0.0, 1.0, 5),
        optimum=Optimum(_UNIT_ACKLEY_VALUE, points),
        terms=single(ackley_height),
    )


def griewank(dimension: int) -> SyntheticFunction:
    """A wide bowl under a fine product of cosines, on [-600, 600]^d; negated."""
    scales = np.sqrt(np.arange(1, dimension + 1))

    def values(points: FloatArray) -> FloatArray:
        bowl = (points**2).sum(axis=1) / 4000.0
        heights: FloatArray = np.cos(points / scales).prod(axis=1) - 1.0 - bowl
        return heights

    return SyntheticFunction(
        name=f"griewank-{dimension}",
        box=Box.cube(-600.0, 600.0, dimension, reach=EVERYWHERE),
        optimum=Optimum(0.0, np.zeros(dimension)),
        terms=single(values),
    )


def drop_wave() -> SyntheticFunction:
    """Rings round the centre of [-5.12, 5.12]^2 (Appendix E of Lu et al. 2022)."""

    def values(points: FloatArray) -> FloatArray:
        squares = (points**2).sum(axis=1)
        heights: FloatArray = (1.0 + np.cos(12.0 * np.sqrt(squares))) / (0.5 * squares + 2.0)
        return heights

    return SyntheticFunction(
        name="drop-wave",
        box=Box.cube(-5.12, 5.12, 2, reach=EVERYWHERE),
        optimum=Optimum(1.0, np.zeros(2)),
        terms=single(values),
    )


def eggholder() -> SyntheticFunction:
    """Deep irregular waves on [-512, 512]^2 (Appendix E of Lu et al. 2022).

    The optimum lies on the border, and beyond it the function is higher.
    """

    def values(points: FloatArray) -> FloatArray:
        x, y = points[:, 0], points[:, 1] + 47.0
        heights: FloatArray = y * np.sin(np.sqrt(np.abs(y + x / 2.0))) + x * np.sin(np.sqrt(np.abs(x - y)))
        return heights

    return SyntheticFunction(
        name="eggholder",
        box=Box.cube(-512.0, 512.0, 2),
        optimum=Optimum(_EGGHOLDER_VALUE, np.array(_EGGHOLDER_POINT)),
        terms=single(values),
    )


def ackley_height(points: FloatArray) -> FloatArray:
    """Ackley's usual form, (n, d) to (n,): zero at the origin and positive elsewhere."""
    funnel = -20.0 * np.expm1(-0.2 * np.sqrt((points**2).mean(axis=1)))
    ripples = np.exp(1.0) - np.exp(np.cos(2.0 * np.pi * points).mean(axis=1))
    heights: FloatArray = funnel + ripples
    return heights
