"""Sums of one-dimensional functions: Rastrigin, Schwefel, Michalewicz, Styblinski-Tang and Levy.

Notation: d parameters.
"""

from __future__ import annotations

import math

import numpy as np

from evaluators.synthetic.definition import (
    EVERYWHERE,
    Box,
    Factors,
    FloatArray,
    Optimum,
    SyntheticFunction,
)

_SCHWEFEL_POINT = 420.96874635928344
_SCHWEFEL_VALUE = 418.9828872724337
_STYBLINSKI_POINT = -2.9035340277713497
_STYBLINSKI_VALUE = 39.16616570377142


def rastrigin(dimension: int) -> SyntheticFunction:
    """A bowl with a lattice of local maxima, on [-5.12, 5.12]^d.

    Eq. 67 of Bardou et al. 2024, its bracket put right: -10 d - sum(x^2 - 10 cos(2 pi x)). As there, five
    parameters make a factor (the last one may be smaller).
    """
    groups = tuple(tuple(range(start, min(start + 5, dimension))) for start in range(0, dimension, 5))
    starts = [group[0] for group in groups]

    def terms(points: FloatArray) -> FloatArray:
        single_terms = -10.0 - points**2 + 10.0 * np.cos(2.0 * np.pi * points)
        sums: FloatArray = np.add.reduceat(single_terms, starts, axis=1)
        return sums

    return SyntheticFunction(
        name=f"rastrigin-{dimension}",
        box=Box.cube(-5.12, 5.12, dimension, reach=EVERYWHERE),
        optimum=Optimum(0.0, np.zeros(dimension)),
        terms=terms,
        factors=groups,
    )


def schwefel(dimension: int) -> SyntheticFunction:
    """Waves that grow towards the border, the best far from the second best, on [-500, 500]^d.

    Section 6.1 of Tran-The et al. 2021 (d = 3). The formula has higher waves from -525 down and from 666
    up, so its reach ends before.
    """

    def terms(points: FloatArray) -> FloatArray:
        waves: FloatArray = points * np.sin(np.sqrt(np.abs(points))) - _SCHWEFEL_VALUE
        return waves

    return SyntheticFunction(
        name=f"schwefel-{dimension}",
        box=Box.cube(-500.0, 500.0, dimension, reach=(-520.0, 660.0)),
        optimum=Optimum(0.0, np.full(dimension, _SCHWEFEL_POINT)),
        terms=terms,
        factors=_alone(dimension),
    )


def michalewicz(dimension: int) -> SyntheticFunction:
    """Steep ridges between plateaux, d! local maxima, on [0, pi]^d.

    Appendix F of Hoang et al. 2018, negated, with m = 10. Where the sine turns negative so does the term,
    which gives the reach. The optimum is found coordinate by coordinate to machine precision.
    """
    numbers = np.arange(1, dimension + 1)

    def terms(points: FloatArray) -> FloatArray:
        ridges: FloatArray = np.sin(points) * np.sin(numbers * points**2 / np.pi) ** 20
        return ridges

    box = Box.cube(0.0, math.pi, dimension, reach=(-math.pi, 2.0 * math.pi))
    # The ridges of coordinate i are about pi / i apart and a tenth of that wide.
    grid = np.linspace(0.0, math.pi, 1 + 400 * dimension)
    best = np.array([grid[np.argmax(np.sin(grid) * np.sin(i * grid**2 / np.pi) ** 20)] for i in numbers])
    step = grid[1]
    while step > 1e-9:
        candidates = best + step * np.array([[-1.0], [0.0], [1.0]])
        best = candidates[terms(candidates).argmax(axis=0), np.arange(dimension)]
        step *= 0.5
    return SyntheticFunction(
        name=f"michalewicz-{dimension}",
        box=box,
        optimum=Optimum(float(terms(best[np.newaxis]).sum()), best),
        terms=terms,
        factors=_alone(dimension),
    )


def styblinski_tang(dimension: int) -> SyntheticFunction:
    """Two wells in each coordinate, nearly as deep, on [-5, 5]^d; negated."""

    def terms(points: FloatArray) -> FloatArray:
        wells: FloatArray = -0.5 * (points**4 - 16.0 * points**2 + 5.0 * points)
        return wells

    return SyntheticFunction(
        name=f"styblinski-tang-{dimension}",
        box=Box.cube(-5.0, 5.0, dimension, reach=EVERYWHERE),
        optimum=Optimum(_STYBLINSKI_VALUE * dimension, np.full(dimension, _STYBLINSKI_POINT)),
        terms=terms,
        factors=_alone(dimension),
    )


def levy(dimension: int) -> SyntheticFunction:
    """A rippled bowl on [-10, 10]^d; negated."""

    def terms(points: FloatArray) -> FloatArray:
        w = 1.0 + (points - 1.0) / 4.0
        ripples = -((w - 1.0) ** 2) * (1.0 + 10.0 * np.sin(np.pi * w + 1.0) ** 2)
        ripples[:, -1] = -((w[:, -1] - 1.0) ** 2) * (1.0 + np.sin(2.0 * np.pi * w[:, -1]) ** 2)
        ripples[:, 0] -= np.sin(np.pi * w[:, 0]) ** 2
        return ripples

    return SyntheticFunction(
        name=f"levy-{dimension}",
        box=Box.cube(-10.0, 10.0, dimension, reach=EVERYWHERE),
        optimum=Optimum(0.0, np.ones(dimension)),
        terms=terms,
        factors=_alone(dimension),
    )


def _alone(dimension: int) -> Factors:
    return tuple((i,) for i in range(dimension))
