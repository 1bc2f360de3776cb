"""Smooth functions whose difficulty is a valley or a scale: camel, Powell, Zakharov and Rosenbrock.

Notation: d parameters.
"""

from __future__ import annotations

import numpy as np

from evaluators.synthetic.definition import EVERYWHERE, Box, FloatArray, Optimum, SyntheticFunction, single

_CAMEL_POINT = np.array([0.08984201310038287, -0.7126564030206914])


def camel() -> SyntheticFunction:
    """The six-hump camel on [-3, 3] x [-2, 2]: six local maxima, two of them global.

    Eq. 64 of Bardou et al. 2024 has -4 and 4 for the usual 4 and -4: it is negated already. Three factors:
    each parameter's own and their product.
    """

    def terms(points: FloatArray) -> FloatArray:
        x, y = points.T
        return np.stack([(-4.0 + 2.1 * x**2 - x**4 / 3.0) * x**2, -x * y, (4.0 - 4.0 * y**2) * y**2], axis=1)

    return SyntheticFunction(
        name="camel",
        box=Box(np.array([[-3.0, 3.0], [-2.0, 2.0]]), reach=np.array([EVERYWHERE, EVERYWHERE])),
        optimum=Optimum(1.0316284534898774, np.stack([_CAMEL_POINT, -_CAMEL_POINT])),
        terms=terms,
        factors=((0,), (0, 1), (1,)),
    )


def powell(dimension: int) -> SyntheticFunction:
    """Quartets of parameters in a flat curved valley, on [-4, 5]^d, d a multiple of 4 (else ValueError).

    Eq. 66 of Bardou et al. 2024; each quartet is a factor.
    """
    if dimension < 4 or dimension % 4:
        raise ValueError(f"expected powell in a multiple of 4 dimensions, got {dimension}")

    def terms(points: FloatArray) -> FloatArray:
        a, b, c, d = np.moveaxis(points.reshape(len(points), dimension // 4, 4), 2, 0)
        quartets: FloatArray = (
            -((a + 10.0 * b) ** 2) - 5.0 * (c - d) ** 2 - (b - 2.0 * c) ** 4 - 10.0 * (a - d) ** 4
        )
        return quartets

    return SyntheticFunction(
        name=f"powell-{dimension}",
        box=Box.cube(-4.0, 5.0, dimension, reach=EVERYWHERE),
        optimum=Optimum(0.0, np.zeros(dimension)),
        terms=terms,
        factors=tuple(tuple(range(i, i + 4)) for i in range(0, dimension, 4)),
    )


def zakharov(dimension: int) -> SyntheticFunction:
    """A curved plate with one optimum and values from 0 to below -50,000, on [-5, 10]^d.

    Appendix E of Lu et al. 2022 (d = 4).
    """
    weights = 0.5 * np.arange(1, dimension + 1)

    def values(points: FloatArray) -> FloatArray:
        tilt = points @ weights
        heights: FloatArray = -(points**2).sum(axis=1) - tilt**2 - tilt**4
        return heights

    return SyntheticFunction(
        name=f"zakharov-{dimension}",
        box=Box.cube(-5.0, 10.0, dimension, reach=EVERYWHERE),
        optimum=Optimum(0.0, np.zeros(dimension)),
        terms=single(values),
    )


def rosenbrock(dimension: int) -> SyntheticFunction:
    """A curved ridge through neighbouring pairs of parameters, on [-5, 10]^d, d >= 2; negated.

    Its factors overlap: a chain of pairs.
    """
    if dimension < 2:
        raise ValueError(f"expected rosenbrock in at least 2 dimensions, got {dimension}")

    def terms(points: FloatArray) -> FloatArray:
        left, right = points[:, :-1], points[:, 1:]
        pairs: FloatArray = -100.0 * (right - left**2) ** 2 - (1.0 - left) ** 2
        return pairs

    return SyntheticFunction(
        name=f"rosenbrock-{dimension}",
        box=Box.cube(-5.0, 10.0, dimension, reach=EVERYWHERE),
        optimum=Optimum(0.0, np.ones(dimension)),
        terms=terms,
        factors=tuple((i, i + 1) for i in range(dimension - 1)),
    )
