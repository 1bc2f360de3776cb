"""Sums of a few peaks: Hartmann in 3 and 6 dimensions, and Shekel.

A stationary point of a sum of such peaks is, coordinate by coordinate, a weighted mean of their centres,
so nothing outside the box of the centres is higher: the optimum is the best of all space.
"""

from __future__ import annotations

import numpy as np

from evaluators.synthetic.definition import EVERYWHERE, Box, FloatArray, Optimum, SyntheticFunction, single

_HEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])

_WIDTHS_3 = np.array([[3.0, 10.0, 30.0], [0.1, 10.0, 35.0], [3.0, 10.0, 30.0], [0.1, 10.0, 35.0]])
_CENTRES_3 = 1e-4 * np.array(
    [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]], dtype=float
)
_OPTIMUM_3 = Optimum(
    3.862779787332663, np.array([0.11458887665630195, 0.5556488946169115, 0.8525469846866816])
)

_WIDTHS_6 = np.array(
    [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ]
)
_CENTRES_6 = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ],
    dtype=float,
)
_OPTIMUM_6 = Optimum(
    3.322368011415515,
    np.array(
        [
            0.20168951100664334,
            0.15001069182326474,
            0.4768739742217464,
            0.2753324304941155,
            0.3116516166001188,
            0.6573005340656077,
        ]
    ),
)

_SHEKEL_OFFSETS = np.array([0.1, 0.2, 0.2, 0.4, 0.4, 0.6, 0.3, 0.7, 0.5, 0.5])
_SHEKEL_ODD = np.array([4.0, 1.0, 8.0, 6.0, 3.0, 2.0, 5.0, 8.0, 6.0, 7.0])
_SHEKEL_EVEN = np.array([4.0, 1.0, 8.0, 6.0, 7.0, 9.0, 3.0, 1.0, 2.0, 3.6])
_SHEKEL_CENTRES = np.stack([_SHEKEL_ODD, _SHEKEL_EVEN, _SHEKEL_ODD, _SHEKEL_EVEN], axis=1)


def hartmann(dimension: int) -> SyntheticFunction:
    """Four Gaussian peaks on the unit cube, in 3 or 6 dimensions (ValueError otherwise).

    Eq. 65 of Bardou et al. 2024, where each peak is a factor that holds every parameter; the maximum
    printed there, 10.5364, is Shekel's.
    """
    if dimension == 3:
        widths, centres, optimum = _WIDTHS_3, _CENTRES_3, _OPTIMUM_3
    elif dimension == 6:
        widths, centres, optimum = _WIDTHS_6, _CENTRES_6, _OPTIMUM_6
    else:
        raise ValueError(f"expected hartmann in 3 or 6 dimensions, got {dimension}")

    def peaks(points: FloatArray) -> FloatArray:
        exponents = (widths * (points[:, np.newaxis, :] - centres) ** 2).sum(axis=2)
        heights: FloatArray = _HEIGHTS * np.exp(-exponents)
        return heights

    return SyntheticFunction(
        name=f"hartmann-{dimension}",
        box=Box.cube(0.0, 1.0, dimension, reach=EVERYWHERE),
        optimum=optimum,
        terms=peaks,
        factors=(tuple(range(dimension)),) * 4,
    )


def shekel() -> SyntheticFunction:
    """Ten narrow peaks (m = 10) on [0, 10]^4, of nearly equal height.

    Appendix F of Hoang et al. 2018, negated.
    """

    def values(points: FloatArray) -> FloatArray:
        distances = ((points[:, np.newaxis, :] - _SHEKEL_CENTRES) ** 2).sum(axis=2)
        sums: FloatArray = (1.0 / (_SHEKEL_OFFSETS + distances)).sum(axis=1)
        return sums

    return SyntheticFunction(
        name="shekel",
        box=Box.cube(0.0, 10.0, 4, reach=EVERYWHERE),
        optimum=Optimum(
            10.536443153483527,
            np.array([4.000746868270649, 3.999509480085818, 4.000746868270649, 3.999509480085818]),
        ),
        terms=single(values),
    )
